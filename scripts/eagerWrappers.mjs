// Says to the engine that a wrapped CommonJS module runs as soon as it is met: Chromium before 130 takes this hint from functions, not from arrows,
// and would read React twice at each start.

/** The bundler's runtime, and the name under which a chunk has its wrapper. */
const runtime = /import\{([^}]*)\}from"\.\/rolldown-runtime/;

/** @param {string} code of a chunk @returns {string} */
export function wrapEagerly(code) {
  const names =
    runtime
      .exec(code)?.[1]
      ?.split(',')
      .map((one) => one.split(' as ').at(-1)?.trim() ?? '') ?? [];
  return names.reduce((text, name) => {
    const call = name.replace(/\$/g, '\\$&');
    return text
      .replace(new RegExp(`(?<![\\w$])${call}\\(\\(([\\w$]+)=>\\{`, 'g'), (_all, given) => `${name}((function(${given}){`)
      .replace(new RegExp(`(?<![\\w$])${call}\\(\\(\\(([\\w$,]*)\\)=>\\{`, 'g'), (_all, given) => `${name}((function(${given}){`);
  }, code);
}

/** @returns {import('vite').Plugin} */
export function eagerWrappers() {
  return {
    name: 'eager-wrappers',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = wrapEagerly(chunk.code);
    },
  };
}
