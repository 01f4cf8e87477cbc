// The one sanitizer: streaming, history, preview and export all pass through it, so that no path is weaker than another.
import DOMPurify, { type Config } from 'dompurify';
import { escapeHtml } from './escapeHtml';
import { isFootnoteJump, isInlinePicture, safeUrl } from './links';

/** A string that went through this file; the only thing that may become innerHTML. */
export type CleanHtml = string & { readonly __clean: true };

const tags =
  'a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead tr u ul var wbr';
const attributes =
  'href title alt src width height align colspan rowspan scope start reversed value type checked disabled open dir lang datetime class data-math data-fn aria-label';

/** Our own marks that may stay; any other class could dress a text up as part of the window. */
const classes = new Set(['md-fn', 'md-fndef', 'md-fnlabel', 'md-task', 'md-picture', 'md-math', 'md-item']);

const common = {
  KEEP_CONTENT: true,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_DOM: true,
  SANITIZE_NAMED_PROPS: true,
  ALLOW_UNKNOWN_PROTOCOLS: false,
} satisfies Config;

const textConfig = {
  ...common,
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: attributes.split(' '),
  IN_PLACE: true,
  FORBID_CONTENTS: [
    'script',
    'style',
    'iframe',
    'object',
    'embed',
    'noscript',
    'template',
    'svg',
    'math',
    'select',
    'textarea',
    'title',
    'xmp',
  ],
} satisfies Config;

const mathConfig = {
  ...common,
  USE_PROFILES: { html: true, mathMl: true, svg: true },
  IN_PLACE: true,
  ADD_TAGS: ['semantics', 'annotation'],
  ADD_ATTR: ['encoding'],
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'a', 'img', 'image', 'use', 'foreignObject'],
  FORBID_ATTR: ['href', 'xlink:href', 'src', 'id', 'name'],
} satisfies Config;

const drawingConfig = {
  ...common,
  USE_PROFILES: { svg: true, svgFilters: true },
  ADD_TAGS: ['style'],
  FORBID_TAGS: ['script', 'foreignObject', 'a', 'image', 'use', 'animate', 'set', 'feImage'],
  FORBID_ATTR: ['href', 'xlink:href'],
  ALLOW_ARIA_ATTR: true,
  // An id inside an image's own document can clobber nothing, and markers and filters need theirs.
  SANITIZE_NAMED_PROPS: false,
  RETURN_DOM: true,
} satisfies Config;

type Purifier = ReturnType<typeof DOMPurify>;

function checkLink(link: Element): void {
  const href = link.getAttribute('href') ?? '';
  if (isFootnoteJump(href)) return;
  const url = safeUrl(href);
  if (url === null) {
    link.removeAttribute('href');
    link.removeAttribute('title');
    return;
  }
  link.setAttribute('href', url);
  link.setAttribute('title', url);
}

/** A picture elsewhere is never fetched: its name stays, as a link to it. */
function checkPicture(picture: Element): void {
  const source = picture.getAttribute('src') ?? '';
  if (isInlinePicture(source)) return;
  const url = safeUrl(source);
  const stand = picture.ownerDocument.createElement(url !== null && !picture.closest('a') ? 'a' : 'span');
  stand.className = 'md-picture';
  stand.textContent = picture.getAttribute('alt')?.trim() || (url === null ? source.slice(0, 80) : new URL(url).hostname);
  if (url !== null) {
    stand.setAttribute('title', url);
    if (stand.tagName === 'A') stand.setAttribute('href', url);
  }
  picture.replaceWith(stand);
}

function checkInput(input: Element): void {
  if (input.getAttribute('type')?.toLowerCase() !== 'checkbox') {
    input.remove();
    return;
  }
  input.setAttribute('disabled', '');
  input.setAttribute('class', 'md-task');
}

function checkClass(element: Element): void {
  const given = element.getAttribute('class');
  if (given === null || classes.has(given)) return;
  const kept = given.split(/\s+/).filter((name) => classes.has(name));
  if (kept.length > 0) element.setAttribute('class', kept.join(' '));
  else element.removeAttribute('class');
}

/** Runs for every element of every text, so it touches the document only where there is something to look at. */
function checkElement(element: Element): void {
  const { tagName } = element;
  if (tagName === 'INPUT') checkInput(element);
  if (!element.hasAttributes()) return;
  checkClass(element);
  if (tagName === 'A') checkLink(element);
  if (tagName === 'INPUT') return;
  for (const name of ['aria-label', 'type', 'checked', 'disabled']) if (element.hasAttribute(name)) element.removeAttribute(name);
}

// What KaTeX sets, and nothing that could reach outside its own box or fetch anything.
const mathStyles =
  /^(?:height|width|min-width|vertical-align|top|left|right|bottom|margin(?:-\w+)?|padding(?:-\w+)?|color|background-color|border(?:-[\w-]+)?|position|text-shadow)$/;
const mathValue = /^[\w\s.,%#()+-]*$/;

function checkMathStyle(element: Element): void {
  const style = element.getAttribute('style');
  if (style === null) return;
  const kept = style.split(';').filter((rule) => {
    const at = rule.indexOf(':');
    const name = rule.slice(0, at).trim().toLowerCase();
    const value = rule.slice(at + 1).trim();
    if (at < 0 || !mathStyles.test(name) || !mathValue.test(value) || /url|expression|image|fixed|sticky/i.test(value)) return false;
    return name !== 'position' || value === 'relative';
  });
  if (kept.length > 0) element.setAttribute('style', kept.join(';'));
  else element.removeAttribute('style');
}

type Purifiers = { text: Purifier; math: Purifier; drawing: Purifier; inert: Document };
let made: (Purifiers & { of: Window }) | null = null;

function purifiers(): Purifiers {
  // Tests run many windows in one process; a sanitizer belongs to the document it parses with.
  if (made?.of === window) return made;
  const [text, math, drawing] = [DOMPurify(window), DOMPurify(window), DOMPurify(window)];
  text.addHook('afterSanitizeAttributes', checkElement);
  text.addHook('afterSanitizeElements', (node) => {
    if (node.nodeName === 'IMG' && node instanceof Element) checkPicture(node);
  });
  math.addHook('afterSanitizeAttributes', checkMathStyle);
  text.setConfig(textConfig);
  math.setConfig(mathConfig);
  drawing.setConfig(drawingConfig);
  made = { text, math, drawing, inert: document.implementation.createHTMLDocument(''), of: window };
  return made;
}

/**
 * Parses where the result will be set, inside a div, but in a document without a window: nothing in it can load or run.
 * Making that document once is most of what a chunk of a streamed answer would otherwise cost.
 */
function sanitizeIn(purifier: Purifier, html: string): CleanHtml {
  const root = purifiers().inert.createElement('div');
  root.innerHTML = html;
  try {
    purifier.sanitize(root, { IN_PLACE: true });
    return clean(root.innerHTML);
  } catch {
    // The sanitizer gave up on a tree it could not trust: its source is shown as text.
    return clean(escapeHtml(html));
  }
}

function clean(html: string): CleanHtml {
  return html as CleanHtml;
}

/** HTML made from someone's Markdown, to HTML that may be set as innerHTML. Anchors without a permitted address become plain text. */
export function sanitizeHtml(html: string): CleanHtml {
  return sanitizeIn(purifiers().text, html);
}

/** KaTeX's output, checked again: spans, MathML and stretchy SVG paths, with the few inline styles it needs. */
export function sanitizeMath(html: string): CleanHtml {
  return sanitizeIn(purifiers().math, html);
}

/** Puts clean formulas into the placeholders that `sanitizeHtml` left; a placeholder without one stays empty. */
export function fillFormulas(html: CleanHtml, formulas: readonly CleanHtml[]): CleanHtml {
  return clean(html.replace(/<span data-math="(\d+)"><\/span>/g, (_, index: string) => formulas[Number(index)] ?? ''));
}

/** The highlighter's output when it is nothing but text and spans with a class, else null. */
export function checkHighlighted(html: string): CleanHtml | null {
  return /[<>]/.test(html.replace(/<span class="hljs-[\w -]*">|<\/span>/g, '')) ? null : clean(html);
}

/** A Mermaid drawing, to be shown as an image only. Nothing in it may run, link or fetch. Null when it holds no drawing. */
export function sanitizeDrawing(svg: string): SVGSVGElement | null {
  const root = purifiers().drawing.sanitize(svg, { RETURN_DOM: true });
  const drawing = root.querySelector('svg');
  if (!drawing) return null;
  for (const style of drawing.querySelectorAll('style')) style.textContent = withoutFetches(style.textContent ?? '');
  for (const element of drawing.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) if (/url\(/i.test(value)) element.setAttribute(name, withoutFetches(value));
  }
  return drawing;
}

/** Only references inside the drawing itself stay. Escapes go first: they could spell `url` in another way. */
function withoutFetches(css: string): string {
  return css
    .replace(/\\/g, '')
    .replace(/@import[^;]*;?/gi, '')
    .replace(/https?:[^\s)'";]*/gi, '')
    .replace(/(?:url|image|image-set|src)\(\s*(?!['"]?#)[^)]*\)/gi, 'none');
}
