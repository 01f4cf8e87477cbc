// Mermaid, loaded at the first diagram that comes near the visible part. It runs strict, and what it draws is only ever shown as an image.
import { boundedCache } from './boundedCache';
import { sanitizeDrawing } from './sanitize';

/** An image address and its natural size in CSS pixels, or why there is none. */
export type Drawing = { url: string; width: number; height: number; title: string } | { error: string };
export type DrawingTheme = 'light' | 'dark';

type Mermaid = typeof import('mermaid')['default'];

const longest = 50_000;
const drawn = boundedCache<Drawing>(8_000_000);
let loading: Promise<Mermaid> | null = null;
let queue: Promise<unknown> = Promise.resolve();
let count = 0;

const locked = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'flowchart',
  'class',
  'state',
  'er',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
  'look',
  'layout',
  'elk',
  'deterministicIds',
  'arrowMarkerAbsolute',
  'legacyMathML',
  'forceLegacyMathML',
  'wrap',
];

const palettes: Record<DrawingTheme, Record<string, string | boolean>> = {
  light: {
    darkMode: false,
    background: '#ffffff',
    primaryColor: '#f0eee9',
    primaryTextColor: '#1f1e1b',
    primaryBorderColor: '#b9b3a8',
    lineColor: '#6f6a62',
    secondaryColor: '#e3f1e8',
    tertiaryColor: '#fbfaf8',
    textColor: '#1f1e1b',
    mainBkg: '#f4f2ee',
    nodeBorder: '#b9b3a8',
    clusterBkg: '#fbfaf8',
    clusterBorder: '#e4e1da',
    noteBkgColor: '#fbf0dc',
    noteTextColor: '#1f1e1b',
    noteBorderColor: '#d9b36a',
    edgeLabelBackground: '#ffffff',
  },
  dark: {
    darkMode: true,
    background: '#20201e',
    primaryColor: '#302f2c',
    primaryTextColor: '#e9e6df',
    primaryBorderColor: '#5d5a53',
    lineColor: '#a7a297',
    secondaryColor: '#20352a',
    tertiaryColor: '#272624',
    textColor: '#e9e6df',
    mainBkg: '#2b2a28',
    nodeBorder: '#5d5a53',
    clusterBkg: '#262522',
    clusterBorder: '#3a3935',
    noteBkgColor: '#3a2f1b',
    noteTextColor: '#e9e6df',
    noteBorderColor: '#8a6a2c',
    edgeLabelBackground: '#20201e',
  },
};

/** Configuration inside a diagram could loosen ours: directives and front matter are taken out, a title is kept. */
export function withoutDirectives(source: string): { code: string; title: string } {
  const front = /^\s*---[ \t]*\n([\s\S]*?)\n[ \t]*---[ \t]*(?:\n|$)/.exec(source);
  const title =
    /^[ \t]*title:[ \t]*(.+)$/m.exec(front?.[1] ?? '')?.[1] ?? /^[ \t]*(?:accTitle[ \t]*:|title[ \t])[ \t]*(.+)$/m.exec(source)?.[1] ?? '';
  const body = front ? source.slice(front[0].length) : source;
  return { code: body.replace(/%%\{[\s\S]*?(?:\}%%|$)/g, ''), title: title.trim().replace(/^(['"])(.*)\1$/, '$2') };
}

async function load(): Promise<Mermaid> {
  return (await import('mermaid')).default;
}

function configure(mermaid: Mermaid, theme: DrawingTheme): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    class: { htmlLabels: false },
    sequence: { useMaxWidth: false, actorFontSize: 14, messageFontSize: 14, noteFontSize: 13 },
    suppressErrorRendering: true,
    maxTextSize: longest,
    maxEdges: 400,
    secure: locked,
    theme: 'base',
    themeVariables: { ...palettes[theme], fontSize: '14px' },
    fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  });
}

/** The drawing as an image address; its size comes from its own frame, so that it takes its place before it is decoded. */
function toImage(svg: string, title: string): Drawing {
  const drawing = sanitizeDrawing(svg);
  if (!drawing) return { error: 'not an image' };
  const box = (drawing.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const [width, height] = [Math.ceil(box[2] || 600), Math.ceil(box[3] || 400)];
  drawing.removeAttribute('style');
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  const source = new XMLSerializer().serializeToString(drawing);
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`, width, height, title };
}

/** The first line says what and where; the parser's list of what it expected helps nobody. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return (message.split('\n', 1)[0] ?? '').replace(/:$/, '').slice(0, 200);
}

async function draw(source: string, theme: DrawingTheme): Promise<Drawing> {
  if (source.length > longest) return { error: `${source.length} > ${longest}` };
  loading ??= load();
  try {
    const mermaid = await loading;
    configure(mermaid, theme);
    const { code, title } = withoutDirectives(source);
    const { svg } = await mermaid.render(`md-drawing-${count++}`, code);
    return toImage(svg, title);
  } catch (cause) {
    return { error: reasonOf(cause) };
  }
}

export function knownDrawing(source: string, theme: DrawingTheme): Drawing | undefined {
  return drawn.get(theme + source);
}

/** One at a time: Mermaid keeps its configuration in one place for all. */
export function drawDiagram(source: string, theme: DrawingTheme): Promise<Drawing> {
  const job = queue.then(async () => {
    const known = knownDrawing(source, theme);
    if (known) return known;
    const made = await draw(source, theme);
    drawn.set(theme + source, made, source.length * 2 + ('url' in made ? made.url.length * 2 : 200));
    return made;
  });
  queue = job;
  return job;
}
