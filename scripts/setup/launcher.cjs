// Stands in for Electron's default app inside the registry runtime: `electron [-r FILE] [switches] APP [arguments]`.
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { app } = require('electron');

/** The modules to load first (Playwright passes one) and the app's folder: what follows the folder belongs to the app. */
function readCommandLine() {
  const args = process.argv.slice(1);
  const preload = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-r' || args[i] === '--require') preload.push(args[++i]);
    else if (!args[i].startsWith('-')) return { preload, entry: args[i] };
  }
  return { preload, entry: undefined };
}

function describeApp(folder, manifest) {
  app.setAppPath(folder);
  const name = manifest.productName || manifest.name;
  if (name) app.setName(name);
  if (manifest.version) app.setVersion(manifest.version);
  // Without this check a test's own --user-data-dir would be lost and all tests would share one profile.
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', path.join(app.getPath('appData'), app.getName()));
}

function start(folder, manifest) {
  const main = path.join(folder, manifest.main || 'index.js');
  const isModule = main.endsWith('.mjs') || (manifest.type === 'module' && !main.endsWith('.cjs'));
  if (!isModule) return Module._load(main, module, true);
  return import(pathToFileURL(main).href).catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

if (process.argv.includes('--version')) {
  console.log(`v${process.versions.electron}`);
  process.exit(0);
}
const { preload, entry } = readCommandLine();
if (!entry) {
  console.error('usage: electron APP');
  process.exit(1);
}
process.defaultApp = true;
for (const file of preload) Module._load(file, module, false);
const folder = path.resolve(entry);
const manifest = require(path.join(folder, 'package.json'));
describeApp(folder, manifest);
start(folder, manifest);
