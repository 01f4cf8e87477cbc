// Hostile texts, one or more for each way in which programs like this one were broken. Used by tests and by the check in the real window.

export type Attack = { name: string; text: string };

const scriptUrl = ['java', 'script:window.pwned=1'].join('');

export const attacks: readonly Attack[] = [
  // Causes of peers.md 2.10
  { name: 'alt text that breaks out of its attribute (CVE-2026-32626)', text: '![x" onerror="window.pwned=1](https://a.example/x.png)' },
  { name: 'alt text with markup (CVE-2026-32626)', text: '![<img src=x onerror=window.pwned=1>](https://a.example/x.png)' },
  {
    name: 'HTML labels in a diagram (CVE-2026-23733)',
    text: '```mermaid\nflowchart LR\n  A["<img src=x onerror=window.pwned=1>"] --> B\n```',
  },
  {
    name: 'SVG with a script (CVE-2025-59417)',
    text: '<svg><script>window.pwned=1</script><circle r="9" onclick="window.pwned=1"/></svg>',
  },
  { name: 'SVG fence (CVE-2025-59417)', text: '```svg\n<svg onload="window.pwned=1"></svg>\n```' },
  {
    name: 'diagram that loosens its own security (CVE-2025-66222)',
    text: '```mermaid\n%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<script>window.pwned=1</script>"]\n  click A "javascript:window.pwned=1"\n```',
  },
  {
    name: 'diagram with configuration in front matter (CVE-2025-67744)',
    text: '---\n\n```mermaid\n---\nconfig:\n  securityLevel: loose\n---\nflowchart LR\n  A["<iframe srcdoc=x>"]\n```',
  },
  {
    name: 'diagram directive with CSS (CVE-2026-41148)',
    text: '```mermaid\n%%{init: {"themeCSS": "* { background: url(https://a.example/leak) }"}}%%\nflowchart LR\n  A --> B\n```',
  },
  { name: 'diagram callback (CVE-2025-68669)', text: '```mermaid\nflowchart LR\n  A\n  click A call alert(1)\n```' },
  { name: 'odd scheme in a link (CVE-2025-55733)', text: '[open](ms-msdt:/id) [x](file:///etc/passwd) [y](vscode://x) [z](smb://a/b)' },
  { name: 'install link (CVE-2025-61929)', text: '[install](cherrystudio://mcp/install?servers=e30=) <bough://run?x=1>' },
  { name: 'raw HTML with a handler (CVE-2026-22792)', text: '<img src=x onerror="window.pwned=1"><body onload=window.pwned=1>' },
  { name: 'chart fence with code (CVE-2026-22793)', text: '```echarts\n(() => { window.pwned = 1 })()\n```' },
  { name: 'rich text that is HTML (CVE-2025-64495)', text: '<details open ontoggle=window.pwned=1><summary>x</summary></details>' },
  { name: 'server event as text (CVE-2025-64496)', text: 'data: {"type":"execute","data":{"code":"window.pwned=1"}}' },
  { name: 'link and mime break-out (pi export)', text: `[x](${scriptUrl}) ![x](data:image/png;base64,AAAA"onerror="window.pwned=1)` },
  // Links
  { name: 'script link', text: `[x](${scriptUrl})` },
  { name: 'script link in capitals with entities', text: '[x](JaVaScRiPt&colon;window.pwned=1) [y](&#x6A;avascript:window.pwned=1)' },
  {
    name: 'script link with a tab and a newline',
    text: '<a href="java\tscript:window.pwned=1">x</a> <a href="java&#10;script:window.pwned=1">y</a>',
  },
  { name: 'script link with a leading control character', text: '<a href="\u0001javascript:window.pwned=1">x</a>' },
  { name: 'script autolink', text: `<${scriptUrl}>` },
  { name: 'script reference', text: `[x]\n\n[x]: ${scriptUrl}` },
  { name: 'data link', text: '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)' },
  { name: 'vbscript link', text: '[x](vbscript:msgbox(1))' },
  { name: 'link with a target and a ping', text: '<a href="https://a.example" target="_blank" ping="https://b.example" download>x</a>' },
  // Elements
  { name: 'script', text: '<script>window.pwned=1</script>' },
  { name: 'script in a paragraph', text: 'hello <script>window.pwned=1</script> there' },
  { name: 'iframe', text: '<iframe src="javascript:window.pwned=1" srcdoc="<script>parent.pwned=1</script>"></iframe>' },
  { name: 'object and embed', text: '<object data="javascript:window.pwned=1"></object><embed src="javascript:window.pwned=1">' },
  {
    name: 'form',
    text: '<form action="https://a.example"><input name=key><button formaction="javascript:window.pwned=1">Send</button><select><option>x</select><textarea>y</textarea></form>',
  },
  { name: 'style element', text: '<style>* { display: none }</style><p>x</p>' },
  { name: 'style attribute', text: '<div style="position:fixed;inset:0;background:url(https://a.example/x)">x</div>' },
  {
    name: 'meta refresh, base, link',
    text: '<meta http-equiv=refresh content="0;url=https://a.example"><base href="https://a.example"><link rel=stylesheet href="https://a.example/x.css">',
  },
  {
    name: 'audio and video',
    text: '<video src=x onerror=window.pwned=1 autoplay><source src="https://a.example/x"></video><audio src="https://a.example/x" autoplay></audio>',
  },
  {
    name: 'remote pictures in every way',
    text: '<img src="https://a.example/x.png" srcset="https://a.example/y.png 2x"><picture><source srcset="https://a.example/z.png"><img src=""></picture><image href="https://a.example/q.png">',
  },
  { name: 'SVG data picture', text: '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)' },
  {
    name: 'background attribute',
    text: '<table background="https://a.example/x.png"><tr><td background="https://a.example/y.png">x</td></tr></table>',
  },
  {
    name: 'clobbering names',
    text: '<img name=body src=""><a id=location href="https://a.example">x</a><form id=document><input name=cookie></form><div id=root name=getElementById>x</div>',
  },
  { name: 'classes of the window', text: '<div class="md-code-tools md-tool app-dialog">x</div>' },
  // Parser confusion
  {
    name: 'namespace confusion',
    text: '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  },
  { name: 'noscript confusion', text: '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">' },
  { name: 'template', text: '<template><img src=x onerror=window.pwned=1></template>' },
  { name: 'unclosed comment', text: '<!-- <img src=x onerror=window.pwned=1>\n\n--> <img src=x onerror=window.pwned=1>' },
  { name: 'CDATA', text: '<![CDATA[<script>window.pwned=1</script>]]>' },
  { name: 'half a tag at the end', text: 'text <img src=x onerror=window.pwned=1 ' },
  { name: 'code span that ends early', text: '`</code><img src=x onerror=window.pwned=1>`' },
  { name: 'fence language with markup', text: '```"><img/src=x/onerror=window.pwned=1>\ncode\n```' },
  { name: 'table cell', text: '| a |\n| - |\n| <img src=x onerror=window.pwned=1> |' },
  { name: 'task item name', text: '- [x] "><img src=x onerror=window.pwned=1>' },
  { name: 'footnote label', text: 'x[^"><img/src=x/onerror=window.pwned=1>]\n\n[^"><img/src=x/onerror=window.pwned=1>]: note' },
  { name: 'placeholder of ours', text: '<span data-math="0" onclick="window.pwned=1"><img src=x onerror=window.pwned=1></span> $x$' },
  // Formulas
  { name: 'formula with a link', text: '$\\href{javascript:window.pwned=1}{x}$' },
  { name: 'formula with HTML', text: '$$\\htmlStyle{position:fixed}{x}\\htmlData{x=1}{y}\\includegraphics{https://a.example/x.png}$$' },
  { name: 'formula with markup', text: '$<img src=x onerror=window.pwned=1>$' },
  { name: 'formula that expands for ever', text: '$\\def\\a{\\a\\a}\\a$' },
];
