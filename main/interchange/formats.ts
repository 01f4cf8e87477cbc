// Every format that can be read, in the order in which they are asked whether a file is theirs: the more telling mark first.
import type { ImportFormat, LineFormat, MemberFormat, ValueFormat } from './format';
import { bough } from './import/bough';
import { chatbox } from './import/chatbox';
import { chatgpt } from './import/chatgpt';
import { claude } from './import/claude';
import { librechat } from './import/librechat';
import { llamacpp, llamacppOld } from './import/llamacpp';
import { lmstudio } from './import/lmstudio';
import { openwebui } from './import/openwebui';
import { pi } from './import/pi';
import { sillytavern } from './import/sillytavern';

const formats: readonly ImportFormat[] = [
  bough,
  chatgpt,
  claude,
  librechat,
  llamacppOld,
  lmstudio,
  openwebui,
  chatbox,
  llamacpp,
  pi,
  sillytavern,
];

export const valueFormats = formats.filter((format): format is ValueFormat => format.kind === 'values');
export const lineFormats = formats.filter((format): format is LineFormat => format.kind === 'lines');
export const memberFormats = formats.filter((format): format is MemberFormat => format.kind === 'members');
