// The hint is given to wrappers of modules alone, and changes nothing of what they do.
import { describe, expect, it } from 'vitest';
import { wrapEagerly } from './eagerWrappers.mjs';

describe('eager wrappers', () => {
  const head = 'import{n as e,t as $t}from"./rolldown-runtime-abc.js";';

  it('N14: wrappers become functions, whatever they are given', () => {
    expect(wrapEagerly(`${head}var a=$t((e=>{e.x=1})),b=$t(((e,t)=>{t.exports=a()})),c=$t((()=>{}));`)).toBe(
      `${head}var a=$t((function(e){e.x=1})),b=$t((function(e,t){t.exports=a()})),c=$t((function(){}));`,
    );
  });

  it('N14: other calls, longer names and chunks without the runtime stay as they are', () => {
    const others = `${head}var a=x$t((e=>{})),b=f((e=>{})),c=$t(e=>{});`;
    expect(wrapEagerly(others)).toBe(others);
    expect(wrapEagerly('var a=t((e=>{}));')).toBe('var a=t((e=>{}));');
  });

  it('N14: what a wrapper exports is the same', () => {
    const code =
      'const t=(run,made)=>()=>(made||run((made={exports:{}}).exports,made),made.exports);var a=t(((e,m)=>{m.exports={two:1+1}}));return a();';
    const wrapped = wrapEagerly(`import{t}from"./rolldown-runtime-abc.js";${code}`).replace(/^import[^;]*;/, '');
    expect(wrapped).toContain('function(e,m)');
    expect(new Function(wrapped)()).toEqual({ two: 2 });
  });
});
