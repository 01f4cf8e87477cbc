// Files that are hurt, hostile, or something else than their name says: a clear problem each, and everything readable is read.
import { spawnSync } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { countsOf, pathOf, readContent, readImport, sampleFolder, tempFiles, textOfMessage } from './importFixture';
import { plainTitle } from './plainTitle';
import { openZip } from './zipFile';

let files: ReturnType<typeof tempFiles>;
beforeEach(() => {
  files = tempFiles();
});
afterEach(() => files.remove());

const sample = (name: string) => readFileSync(join(sampleFolder, name));

describe('files that are hurt', () => {
  it('I4: an empty file, blanks, no JSON and JSON of another program are told apart', async () => {
    expect((await readContent('')).problems).toEqual(['empty']);
    expect((await readContent('  \n \n')).problems).toEqual(['empty']);
    expect((await readContent('Hello, this is text.')).problems).toEqual(['notJson']);
    expect((await readContent(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]))).problems).toEqual(['notJson']);
    expect((await readContent([{ a: 1 }, { b: 2 }])).problems).toEqual(['notRecognized']);
    expect((await readContent({ name: 'package', version: '1.0.0' })).problems).toEqual(['notRecognized']);
    expect((await readContent([])).problems).toEqual(['notRecognized']);
    expect((await readContent('[{]}, nonsense')).problems).toEqual(['notJson']);
    expect((await readImport(join(files.folder, 'nothing.json'))).problems).toEqual(['gone']);
    expect((await readImport(files.folder)).problems).toEqual(['empty']);
  });

  it.each([
    'claude-branches.json',
    'chatgpt-traps.json',
    'chatbox-backup.json',
    'openwebui-bad-children.json',
    'pi-v3-branches.jsonl',
    'llamacpp-branches.jsonl',
  ])('I4: %s cut anywhere: never an error, never more than was there, and said', async (name) => {
    const whole = sample(name);
    const all = await readContent(whole, name);
    const total = all.conversations.reduce((sum, { messages }) => sum + messages.length, 0);
    for (let part = 1; part < 24; part++) {
      const end = Math.floor((whole.length * part) / 24);
      const read = await readContent(whole.subarray(0, end), name);
      const count = read.conversations.reduce((sum, { messages }) => sum + messages.length, 0);
      expect(count).toBeLessThanOrEqual(total);
      const endsInside = !/[}\]\s]$/.test(whole.subarray(0, end).toString('utf8')) || !name.endsWith('l');
      if (endsInside && count > 0) expect(read.problems, `${name} at ${end}`).toEqual(['cut']);
      if (part > 12) expect(count).toBeGreaterThan(0);
    }
  });

  it('I4: an element that is no JSON costs only itself', async () => {
    const [first, , third] = JSON.parse(sample('claude-branches.json').toString());
    const read = await readContent(`[${JSON.stringify(first)}, {"a": nonsense}, ${JSON.stringify(third)}]`);
    expect(read.conversations.map(({ title }) => title)).toEqual(['Garden irrigation plan']);
    expect(read.skipped.map(({ reason }) => reason)).toEqual(['unreadable', 'noMessages']);
  });

  it('I4: lines that are no JSON are skipped and counted, also the first', async () => {
    const [header, ...lines] = sample('pi-v3-branches.jsonl').toString().trim().split('\n');
    const read = await readContent([header, '{"broken', ...lines].join('\n'), 'a.jsonl');
    expect(read.conversations[0]?.leftOut).toContainEqual(['unreadable', 1]);
    expect(read.conversations[0]?.messages).toHaveLength(12);
    const noHeader = await readContent(
      ['{"type":"sess', ...sample('sillytavern-swipes.jsonl').toString().split('\n').slice(1)].join('\n'),
      'a.jsonl',
    );
    expect(noHeader.formats).toEqual(['sillytavern']);
  });

  it('I3: the name says nothing: any file under any name, with the mark of an editor, in UTF-16, wrapped', async () => {
    expect((await readContent(sample('claude-branches.json'), 'picture.png')).conversations).toHaveLength(4);
    expect((await readContent(sample('sillytavern-swipes.jsonl'), 'a.json')).formats).toEqual(['sillytavern']);
    expect((await readContent(Buffer.concat([Buffer.from('\ufeff'), sample('claude-branches.json')]))).conversations).toHaveLength(4);
    expect((await readContent(Buffer.from(`\ufeff${sample('claude-branches.json')}`, 'utf16le'))).conversations).toHaveLength(4);
    expect(
      (await readContent({ conversations: JSON.parse(sample('claude-branches.json').toString()), version: 1 })).conversations,
    ).toHaveLength(4);
    expect((await readContent(JSON.parse(sample('claude-branches.json').toString())[0])).conversations).toHaveLength(1);
  });

  it('T7: nesting of 50,000 levels is read as deep as it goes', async () => {
    let text = '';
    for (let at = 0; at < 50_000; at++) text += `{"messageId":"m${at}","text":"t${at}","children":[`;
    const read = await readContent(`{"conversationId":"c","messages":[${text}${']}'.repeat(50_000)}]}`);
    expect(read.conversations[0]?.messages).toHaveLength(50_000);
  });
});

describe('archives', () => {
  const zip = async (name: string, entries: Record<string, Buffer>): Promise<string> => {
    const made = new yazl.ZipFile();
    for (const [entry, bytes] of Object.entries(entries)) made.addBuffer(bytes, entry);
    made.end();
    const path = join(files.folder, name);
    await new Promise<void>((resolve, reject) => made.outputStream.pipe(createWriteStream(path)).on('close', resolve).on('error', reject));
    return path;
  };
  const chats = () => sample('claude-branches.json');

  it('I3: an archive is read under any name, and what it also holds is counted', async () => {
    const read = await readImport(
      await zip('export.dat', { 'conversations.json': chats(), 'users.json': Buffer.from('[{"uuid":"u"}]'), 'a.png': Buffer.from('x') }),
    );
    expect(read).toMatchObject({ formats: ['claude'], problems: [], otherFiles: 2 });
    expect(read.conversations).toHaveLength(4);
  });

  it('I3: names that lead out of the archive are refused', async () => {
    const path = await zip('a.zip', { 'xx/yy.json': chats() });
    const bytes = readFileSync(path);
    for (const name of ['../yy.json', '/x/yy.json', 'C:\\yy.json']) {
      const hostile = Buffer.from(bytes.toString('latin1').replaceAll('xx/yy.json', name.padEnd(10, 'x')), 'latin1');
      const read = await readImport(files.write('hostile.zip', hostile));
      expect(read.problems).toEqual(['zipUnsafePath']);
      expect(read.conversations).toEqual([]);
    }
  });

  it('I3: a bomb is refused before it is unpacked: by ratio, by all together, by count', async () => {
    const zeros = await zip('bomb.zip', { 'conversations.json': Buffer.alloc(80 * 2 ** 20, '[') });
    expect((await readImport(zeros)).problems).toEqual(['zipTooLarge']);
    const small = await zip('small.zip', { 'a.json': Buffer.alloc(5000, ' '), 'b.json': Buffer.alloc(5000, ' ') });
    const limits = { entries: 10, total: 1e9, ratio: 250, large: 1e6 };
    await expect(openZip(small, { ...limits, total: 8000 })).rejects.toMatchObject({ problem: 'zipTooLarge' });
    await expect(openZip(small, { ...limits, entries: 1 })).rejects.toMatchObject({ problem: 'zipTooLarge' });
    await expect(openZip(small, { ...limits, large: 8000, ratio: 10 })).rejects.toMatchObject({ problem: 'zipTooLarge' });
    await (await openZip(small, limits)).close();
  });

  it('I4: a damaged archive is told, and so is an entry that lies about its size', async () => {
    const path = await zip('a.zip', { 'conversations.json': chats() });
    const bytes = readFileSync(path);
    expect((await readImport(files.write('cut.zip', bytes.subarray(0, bytes.length - 100)))).problems).toEqual(['zipDamaged']);
    const central = bytes.lastIndexOf('PK\u0001\u0002');
    const lie = Buffer.from(bytes);
    lie.writeUInt32LE(100, central + 24);
    expect((await readImport(files.write('lie.zip', lie))).problems).toEqual(['zipDamaged']);
  });
});

describe('hostile content', () => {
  it('I5: a title becomes one line of plain text', () => {
    expect(plainTitle('  a\u0000b\r\nc\u202egnp.exe \u2066x\u2069 ')).toBe('a b cgnp.exe x');
    expect(plainTitle('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
    expect([...plainTitle('\u{1f600}'.repeat(500))]).toHaveLength(200);
  });

  it('I5: texts that make careless patterns slow are read at once', async () => {
    const details = '<details type="reasoning">'.repeat(20_000);
    const marks = '\ue200cite'.repeat(200_000);
    const webui = [{ id: 'c', chat: { history: { messages: { a: { id: 'a', parentId: null, role: 'user', content: details } } } } }];
    expect((await readContent(webui)).conversations[0]?.messages).toHaveLength(1);
    const chatgpt = [
      {
        id: 'c',
        mapping: { a: { id: 'a', parent: null, message: { author: { role: 'user' }, content: { content_type: 'text', parts: [marks] } } } },
      },
    ];
    expect(textOfMessage((await readContent(chatgpt)).conversations[0]!.messages[0]!)).not.toContain('\ue200');
  });

  it('T7: ids like those of every object are ids', async () => {
    const entry = (id: string, parent: string | null) =>
      `${JSON.stringify(id)}:${JSON.stringify({ id, parent, message: { author: { role: 'user' }, content: { content_type: 'text', parts: [id] } } })}`;
    const text = `[{"id":"__proto__","mapping":{${entry('__proto__', null)},${entry('constructor', '__proto__')},${entry('toString', 'constructor')}},"current_node":"toString"}]`;
    const [one] = (await readContent(text)).conversations;
    expect(one?.sourceId).toBe('__proto__');
    expect(pathOf(one!).map(({ sourceId }) => sourceId)).toEqual(['__proto__', 'constructor', 'toString']);
  });
});

describe('large files', () => {
  // A gigabyte only when asked for: BOUGH_GIGABYTE=1.
  const megabytes = process.env['BOUGH_GIGABYTE'] === '1' ? 1024 : 24;
  it(`I3, N16: ${megabytes} MB are read with no more memory than a small part of them`, async () => {
    const path = join(files.folder, 'large.json');
    const script = `const fs=require('fs');const out=fs.openSync(${JSON.stringify(path)},'w');const text='word '.repeat(2000);fs.writeSync(out,'[');
      for(let n=0,size=0;size<${megabytes}*2**20;n++){const m={};for(let i=0;i<40;i++)m['m'+i]={id:'m'+i,parent:i?'m'+(i-1):null,message:{author:{role:i%2?'assistant':'user'},content:{content_type:'text',parts:[text]}}};
      size+=fs.writeSync(out,(n?',':'')+JSON.stringify({id:'c'+n,title:'t',mapping:m,current_node:'m39'}));}fs.writeSync(out,']');`;
    expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
    const { createImportReader } = await import('./importReader');
    const reader = createImportReader([path]);
    let conversations = 0;
    let largest = 0;
    for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
      const found = batch.flatMap((event) => (event.type === 'conversation' ? [countsOf(event.conversation).path] : []));
      conversations += found.length;
      largest = Math.max(largest, found.length);
      expect(found.every((path) => path === 40)).toBe(true);
    }
    await reader.close();
    expect(conversations).toBeGreaterThan(megabytes * 2);
    // What is held at a time is bounded, whatever the size of the file.
    expect(largest).toBeLessThan(20);
  }, 600_000);
});
