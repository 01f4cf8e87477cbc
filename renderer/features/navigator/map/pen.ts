// A canvas in the tokens' colours: the few shapes that the map is made of.
import type { Point, Size } from './mapSpace';

const tokens = ['panel', 'sel', 'text', 'soft', 'faint', 'line-strong', 'accent', 'accent-soft', 'amber', 'red'] as const;
type Token = (typeof tokens)[number];
type Words = { colour: Token; size: number; width: number; weight?: number };

export type Pen = ReturnType<typeof createPen>;

/** Reads the tokens once: make another one when the theme or the text size changes. `unit`: a sixteenth of the text size. */
export function createPen(context: CanvasRenderingContext2D, unit: number) {
  const style = getComputedStyle(context.canvas);
  const colours = Object.fromEntries(tokens.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Record<Token, string>;
  const family = style.fontFamily;
  const { widthOf, fitted } = measures(context);

  return {
    begin({ width, height }: Size): void {
      const ratio = window.devicePixelRatio || 1;
      const { canvas } = context;
      const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (canvas.width !== wide) canvas.width = wide;
      if (canvas.height !== high) canvas.height = high;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      context.textBaseline = 'middle';
    },
    fade(faint: boolean): void {
      context.globalAlpha = faint ? 0.4 : 1;
    },
    stroke(path: Path2D, { colour, width, dashed = false }: { colour: Token; width: number; dashed?: boolean }): void {
      context.setLineDash(dashed ? [2 * unit, 3 * unit] : []);
      context.strokeStyle = colours[colour];
      context.lineWidth = width * unit;
      context.stroke(path);
    },
    dot({ x, y }: Point, radius: number, { fill, line, width = 1.5 }: { fill: Token; line?: Token; width?: number }): void {
      context.beginPath();
      context.arc(x, y, radius, 0, Math.PI * 2);
      context.fillStyle = colours[fill];
      context.fill();
      if (!line) return;
      context.setLineDash([]);
      context.strokeStyle = colours[line];
      context.lineWidth = width * unit;
      context.stroke();
    },
    /** A small flag on its pole, its foot left below the point. */
    flag({ x, y }: Point, size: number): void {
      context.setLineDash([]);
      context.strokeStyle = colours.soft;
      context.fillStyle = colours.soft;
      context.lineWidth = 1.25 * unit;
      context.beginPath();
      context.moveTo(x - size / 3, y + size / 2);
      context.lineTo(x - size / 3, y - size / 2);
      context.stroke();
      context.beginPath();
      context.moveTo(x - size / 3, y - size / 2);
      context.lineTo(x + size / 2, y - size / 4);
      context.lineTo(x - size / 3, y);
      context.fill();
    },
    /** Gives the width it took. */
    text(text: string, { x, y }: Point, { colour, size, width, weight = 400 }: Words): number {
      context.font = `${weight} ${size * unit}px ${family}`;
      context.fillStyle = colours[colour];
      const shown = fitted(text, width);
      context.fillText(shown, x, y);
      return widthOf(shown);
    },
  };
}

/** Words are measured once each. */
function measures(context: CanvasRenderingContext2D) {
  const widths = new Map<string, number>();
  const widthOf = (text: string): number => {
    const key = `${context.font}\n${text}`;
    const known = widths.get(key) ?? context.measureText(text).width;
    if (widths.size > 5_000) widths.clear();
    widths.set(key, known);
    return known;
  };
  /** As much of it as fits. */
  const fitted = (text: string, width: number): string => {
    const whole = widthOf(text);
    if (whole <= width) return text;
    let length = Math.floor((text.length * width) / whole);
    while (length > 0 && widthOf(`${text.slice(0, length).trimEnd()}…`) > width) length--;
    return length <= 0
      ? ''
      : `${text
          .slice(0, length)
          .replace(/[\ud800-\udbff]$/, '')
          .trimEnd()}…`;
  };
  return { widthOf, fitted };
}
