// Debian and Ubuntu packages: installed when we may (root), named in one command when we may not.
import { existsSync, readdirSync } from 'node:fs';
import { SetupProblem, say } from './console.mjs';
import { read } from './process.mjs';

/** What Electron links or opens at run time; Debian's names, Ubuntu's newer ones end in t64. */
const ELECTRON_LIBRARIES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libxtst6',
  'libatk-bridge2.0-0',
  'libdrm2',
  'libcups2',
  'libsecret-1-0',
];

/** A test reads a snapshot page with a reader of another make: 8 MB to download, 23 MB installed. */
const FOR_UNIT_TESTS = ['tesseract-ocr', 'tesseract-ocr-eng'];

/** Pictures in tests need glyphs of every script; the keychain tests need a real keyring. */
const FOR_TESTS = [
  ...FOR_UNIT_TESTS,
  'xvfb',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-noto-color-emoji',
  'gnome-keyring',
  'dbus',
  'dbus-bin',
  'dbus-daemon',
  'dbus-session-bus-common',
  'libsecret-1-0',
];

const UNATTENDED = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

export const isDebian = process.platform === 'linux' && existsSync('/usr/bin/apt-get');

/** True when packages can be installed without asking anyone. */
export function debianCanInstall() {
  return isDebian && process.getuid?.() === 0;
}

/** @param {readonly string[]} packages */
export function installCommand(packages) {
  return `sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/** Libraries without which Electron cannot start. @param {string} binary */
export function ensureElectronLibraries(binary) {
  if (process.platform !== 'linux') return;
  const missing = missingLibraries(read('ldd', [binary]).output);
  if (missing.length === 0) return;
  const packages = ELECTRON_LIBRARIES.map(currentName);
  if (debianCanInstall()) return ensureDebianPackages(packages);
  const how = isDebian
    ? `Run:\n  ${installCommand(packages)}`
    : 'Install them with your package manager (GTK 3, NSS, ALSA, GBM, X11 and CUPS libraries).';
  throw new SetupProblem(`Electron needs system libraries that are not installed: ${missing.join(', ')}. ${how}`);
}

/** The libraries that ldd could not find. @param {string} listing */
export function missingLibraries(listing) {
  return [...listing.matchAll(/^\s*(\S+) => not found/gm)].map((match) => String(match[1]));
}

/** @param {string} name */
function currentName(name) {
  return read('apt-cache', ['show', `${name}t64`]).ok ? `${name}t64` : name;
}

/** A virtual screen and what the tests draw and store with. Missing ones only fail the tests that need them. */
export function ensureTestPackages() {
  ensureForTests(FOR_TESTS);
}

/** What tests without a window use. */
export function ensureUnitTestPackages() {
  ensureForTests(FOR_UNIT_TESTS);
}

/** @param {readonly string[]} packages */
function ensureForTests(packages) {
  if (!isDebian) return;
  const missing = notInstalled(packages);
  if (missing.length === 0) return;
  if (debianCanInstall()) ensureDebianPackages(missing);
  else say(`Some tests need more packages. Run:\n  ${installCommand(missing)}`);
}

/** @param {readonly string[]} packages */
export function ensureDebianPackages(packages) {
  const missing = notInstalled(packages);
  if (missing.length === 0) return;
  say(`Installing Debian packages: ${missing.join(' ')} …`);
  if (!hasPackageLists()) aptGet(['update']);
  if (aptGet(['install', '-y', '--no-install-recommends', ...missing]).ok) return;
  // Lists may be old, and an earlier run may have been stopped in the middle.
  read('dpkg', ['--configure', '-a'], { env: UNATTENDED });
  aptGet(['update']);
  const second = aptGet(['install', '-y', '--no-install-recommends', ...missing]);
  if (!second.ok) throw new SetupProblem(`apt-get could not install ${missing.join(' ')}:\n${second.errors.trim()}`);
}

/** @param {readonly string[]} packages */
function notInstalled(packages) {
  // The format's ${…} is dpkg-query's own, not a template.
  const listing = read('dpkg-query', ['-W', '-f', '$' + '{Package} $' + '{db:Status-Status}\n', ...packages]).output;
  const installed = new Set(
    listing
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return packages.filter((name) => !installed.has(name));
}

function hasPackageLists() {
  const folder = '/var/lib/apt/lists';
  return existsSync(folder) && readdirSync(folder).some((name) => name.includes('_Packages'));
}

/** @param {readonly string[]} args */
function aptGet(args) {
  return read('apt-get', ['-q', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=120', ...args], { env: UNATTENDED });
}
