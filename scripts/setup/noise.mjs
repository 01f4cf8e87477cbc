// Chromium complains on machines without a system bus or a graphics card, and works all the same; nobody can act on it.

const NOISE =
  /^\[\d+:\d+\/[\d.]+:ERROR:(bus|object_proxy|viz_main_impl|gpu_memory_buffer_support_x11|command_buffer_proxy_impl|gl_\w+|angle_\w+)\.cc\(\d+\)\]/;

/** Drops such lines, keeps everything else. @param {string} text */
export function withoutNoise(text) {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !NOISE.test(line))
    .join('');
}
