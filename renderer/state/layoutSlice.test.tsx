// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focusComposerEvent } from '../focusEvents';
import { createFakeMain } from '../testing/fakeBridge';
import { closeWindow, openWindow, settle } from '../testing/openWindow';
import { setAreaOpen, toggleArea, useAreaOpen } from './layoutSlice';

function Window() {
  const open = useAreaOpen('panel');
  return (
    <>
      {open ? <button type="button">In the panel</button> : null}
      <button type="button">In the talk</button>
    </>
  );
}
let asked = 0;
const count = () => asked++;
const frame = () => act(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));

beforeEach(() => {
  asked = 0;
  window.addEventListener(focusComposerEvent, count);
});
afterEach(() => {
  window.removeEventListener(focusComposerEvent, count);
  closeWindow();
});

describe('an area that closes', () => {
  it('U7: gives the focus it held to the message box, and takes it from nothing else', async () => {
    await openWindow(createFakeMain(), <Window />);
    act(() => setAreaOpen('panel', true));
    screen.getByRole('button', { name: 'In the talk' }).focus();
    act(() => toggleArea('panel'));
    await frame();
    expect(asked).toBe(0);
    act(() => toggleArea('panel'));
    screen.getByRole('button', { name: 'In the panel' }).focus();
    act(() => toggleArea('panel'));
    await frame();
    await settle();
    expect(asked).toBe(1);
  });
});
