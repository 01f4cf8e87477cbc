// The environment of a child: everything but what is a key, looks like one, or opens a way to keys (Z3). Pure.

const keyNames = /key|token|secret|passw|passphrase|credential|auth(?!or)|cookie|private|\bpat\b|(?:^|_)(?:pat|pwd|jwt|dsn|sid)(?:_|$)/i;
/** Ways to the keychain and to agents that sign; and what would turn a child that is Electron or Node into something else. */
const closedNames = /^(?:DBUS_SESSION_BUS_ADDRESS|GNOME_KEYRING_.*|SSH_.*|GPG_.*|ELECTRON_.*|NODE_OPTIONS|NODE_CHANNEL_.*|BOUGH_.*)$/i;
const keyValues = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|pplx|hf|r8|ghp|gho|ghs|ghu|github_pat|glpat|npm|xox[abprs]|csk|tok)[-_][\w-]{12,}/i,
  /\bAIza[\w-]{20,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/i,
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /[?&](?:key|api[-_]?key|access_token|token|sig|signature)=[^&\s]{4,}/i,
];
/** Names that only sound like keys and that programs need. */
const harmless = /^(?:PWD|OLDPWD|KEYBOARD_.*|XKB_.*)$/;

/** `hideKeys` knows the keys of Bough itself: a variable that holds one is left out whatever its name. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  hideKeys: (text: string) => string,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (closedNames.test(name) || (keyNames.test(name) && !harmless.test(name))) continue;
    if (keyValues.some((shape) => shape.test(value)) || hideKeys(value) !== value) continue;
    result[name] = value;
  }
  return result;
}
