// The README is what people follow, so CI takes its command from there.

/** The one command of the section "Test". @param {string} readme @returns {string} */
export function readTestCommand(readme) {
  const section = readme.split(/^## /m).find((part) => part.startsWith('Test\n'));
  const command = section?.match(/^```\w*\n(.+)\n```$/m)?.[1]?.trim();
  if (!command) throw new Error('README.md has no section "Test" with one command in a code block');
  return command;
}
