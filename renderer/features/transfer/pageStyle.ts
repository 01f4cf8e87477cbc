// The one style sheet of an exported page: light and dark, on screen and on paper. No address in it: the page loads nothing.

const light =
  '--paper:#fff;--text:#1f1e1b;--soft:#57534c;--line:#e4e1da;--tint:#f0eee9;--code:#f5f3ef;--accent:#2b774a;--key:#2b6e46;--str:#8a4b1f;--num:#7a3e9d;--fun:#1f5a99;--com:#6c665c';
const dark =
  '--paper:#20201e;--text:#e9e6df;--soft:#aaa59a;--line:#32312e;--tint:#292826;--code:#272624;--accent:#6cc08b;--key:#7fcb9a;--str:#e3b07a;--num:#cfa3e8;--fun:#8fbdf0;--com:#979185';

export const pageStyle = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:15px/24px system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:32px 16px 64px}
h1{font-size:22px;line-height:30px;margin:0}
.when,time,.label,.model,.note,figcaption{color:var(--soft);font-size:13px;line-height:20px}
article{margin:24px 0;scroll-margin-top:16px}
article.user{background:var(--tint);border-radius:8px;padding:12px 16px}
article>header{display:flex;flex-wrap:wrap;gap:0 10px;align-items:baseline}
.label{border:1px solid var(--line);border-radius:4px;padding:0 6px}
a{color:var(--accent)}
:target{outline:2px solid var(--accent);outline-offset:4px;border-radius:8px}
details{margin:8px 0}
summary{cursor:pointer;color:var(--soft);font-size:13px;line-height:20px}
details.branch{border-left:2px solid var(--line);padding-left:16px;margin:24px 0}
details.branch>summary{font-weight:600;color:var(--text)}
pre{background:var(--code);border-radius:6px;padding:10px 12px;overflow:auto;font:13px/20px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}
code{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:13px}
.long,.plain{white-space:pre-wrap}
blockquote{margin:12px 0;padding-left:12px;border-left:3px solid var(--line);color:var(--soft)}
.table{overflow-x:auto}
table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:4px 8px;text-align:start}
img{max-width:100%;height:auto}
figure{margin:8px 0}
.drawing img{background:#fff;border-radius:6px}
.formula{overflow-x:auto;margin:12px 0}
.md-item{list-style:none}
.hljs-keyword,.hljs-literal,.hljs-section{color:var(--key)}.hljs-string,.hljs-regexp{color:var(--str)}.hljs-number,.hljs-symbol{color:var(--num)}
.hljs-title,.hljs-name,.hljs-type,.hljs-built_in{color:var(--fun)}.hljs-comment,.hljs-quote{color:var(--com);font-style:italic}
@media print{:root{${light}}main{max-width:none;padding:0}article{break-inside:auto}article>header{break-after:avoid}pre{white-space:pre-wrap}a{color:inherit}}
`.trim();
