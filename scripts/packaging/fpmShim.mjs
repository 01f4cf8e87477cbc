#!/usr/bin/env node
// Speaks the part of fpm's command line that electron-builder uses for a deb, and builds it with dpkg-deb: fpm is a Ruby program
// that electron-builder would download from GitHub.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @typedef {{ options: Map<string, string>, depends: string[], recommends: string[], files: [source: string, target: string][] }} Request */

const FLAGS = new Set(['--force', '--debug']);

/** @param {readonly string[]} args @returns {Request} */
function readArguments(args) {
  /** @type {Request} */
  const request = { options: new Map(), depends: [], recommends: [], files: [] };
  for (let i = 0; i < args.length; i++) {
    const arg = String(args[i]);
    if (FLAGS.has(arg)) continue;
    if (!arg.startsWith('-')) request.files.push(readMapping(arg));
    else if (arg === '-d') request.depends.push(String(args[++i]));
    else if (arg === '--deb-recommends') request.recommends.push(String(args[++i]));
    else request.options.set(arg.replace(/^-+/, ''), String(args[++i]));
  }
  return request;
}

/** `source=target`; a source may contain the sign itself. @param {string} arg @returns {[string, string]} */
function readMapping(arg) {
  const at = arg.lastIndexOf('=');
  return [arg.slice(0, at), arg.slice(at + 1)];
}

/** @param {string} root @param {Request} request */
function copyFiles(root, request) {
  for (const [source, target] of request.files) {
    const place = join(root, target);
    mkdirSync(dirname(place), { recursive: true });
    if (statSync(source).isDirectory()) cpSync(source, place, { recursive: true, verbatimSymlinks: true });
    else copyFileSync(source, place);
  }
}

/** @param {string} root @param {Request} request @returns {string} */
function controlFile(root, { options, depends, recommends }) {
  const size = execFileSync('du', ['-sk', '--exclude=DEBIAN', root], { encoding: 'utf8' }).split('\t')[0];
  const iteration = options.get('iteration');
  const [summary, ...description] = (options.get('description') || options.get('name') || '')
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const fields = [
    ['Package', options.get('name')],
    ['Version', `${options.get('version')}${iteration ? `-${iteration}` : ''}`],
    ['Architecture', options.get('architecture')],
    ['Maintainer', options.get('maintainer')],
    ['Installed-Size', size],
    ['Depends', depends.join(', ')],
    ['Recommends', recommends.join(', ')],
    ['Section', options.get('category') || 'default'],
    ['Priority', options.get('deb-priority') || 'optional'],
    ['Homepage', options.get('url')],
    ['Description', [summary, ...description].join('\n ')],
  ];
  return `${fields
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`;
}

const request = readArguments(process.argv.slice(2));
if (request.options.get('t') !== 'deb') {
  console.error('fpmShim makes deb packages only.');
  process.exit(1);
}
const root = mkdtempSync(join(tmpdir(), 'bough-deb-'));
try {
  chmodSync(root, 0o755);
  copyFiles(root, request);
  mkdirSync(join(root, 'DEBIAN'));
  writeFileSync(join(root, 'DEBIAN/control'), controlFile(root, request));
  for (const [option, name] of /** @type {const} */ ([
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ])) {
    const script = request.options.get(option);
    if (!script) continue;
    copyFileSync(script, join(root, 'DEBIAN', name));
    chmodSync(join(root, 'DEBIAN', name), 0o755);
  }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', root, String(request.options.get('package'))], {
    stdio: 'inherit',
  });
} finally {
  rmSync(root, { recursive: true, force: true });
}
