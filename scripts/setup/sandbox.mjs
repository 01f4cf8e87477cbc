// Chromium's sandbox on Linux: root cannot have it, and some systems forbid what it is made of. Both are said in words.
import { say } from './console.mjs';

const FORBIDDEN =
  /No usable sandbox!|SUID sandbox helper binary was found, but is not configured correctly|Failed to move to new namespace/;

/** Switches Electron needs for this user. @returns {string[]} */
export function sandboxSwitches() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  say('Running as root: the sandbox of the window is off (--no-sandbox). Use an ordinary account for daily work.');
  return ['--no-sandbox'];
}

/** Whether a line Electron printed means that the system forbids its sandbox. @param {string} text */
export function isSandboxForbidden(text) {
  return FORBIDDEN.test(text);
}

/** What to do then. @param {string} binary the Electron binary that must be allowed */
export function sandboxAdvice(binary) {
  return [
    'This system forbids user namespaces to ordinary programs, and the window is sandboxed with them. Choose one:',
    '',
    '1. Allow them for this Electron alone (Ubuntu 23.10 and later, AppArmor):',
    "     sudo tee /etc/apparmor.d/bough-electron <<'END'",
    '     abi <abi/4.0>,',
    '     include <tunables/global>',
    `     profile bough-electron "${binary}" flags=(unconfined) {`,
    '       userns,',
    '     }',
    '     END',
    '     sudo apparmor_parser -r /etc/apparmor.d/bough-electron',
    '',
    '2. Allow them for all programs:',
    '     sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (Ubuntu)',
    '     sudo sysctl -w kernel.unprivileged_userns_clone=1               (older Debian)',
    '     sudo sysctl -w user.max_user_namespaces=15000                   (where it is 0)',
    '',
    'Then run `npm start` again.',
  ].join('\n');
}
