// What the runtime starts: the program, from the code that its last start left if there is any.
import { join } from 'node:path';
import { app } from 'electron';
import { parseArguments } from './app/arguments';
import { loadScript } from './app/keptCode';

/** Milliseconds after the first page has loaded: the messages are painted by then, and all that a start runs is compiled. */
const keepDelay = 3_000;

const userData = parseArguments(process.argv, process.cwd()).userData ?? app.getPath('userData');
const { keep } = loadScript(join(import.meta.dirname, 'program.cjs'), join(userData, 'compiled', 'program.bin'));
app.once('web-contents-created', (_event, contents) => {
  contents.once('did-finish-load', () => {
    setTimeout(keep, keepDelay);
    app.once('will-quit', keep);
  });
});
