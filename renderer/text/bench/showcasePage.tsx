// Every kind of Markdown on one page, to be looked at in light and dark after a visible change.
import '../../ui/tokens.css';
import '../../ui/base.css';
import '../../i18n';
import { createRoot } from 'react-dom/client';
import { MarkdownView } from '../MarkdownView';
import { UserText } from '../UserText';
import { runAttackCheck } from './attackCheck';
import { showcase, showcaseUser } from './showcaseText';

declare global {
  interface Window {
    runAttackCheck?: typeof runAttackCheck;
  }
}
window.runAttackCheck = runAttackCheck;

const theme = new URLSearchParams(location.search).get('theme');
if (theme) document.documentElement.dataset.theme = theme;

/** Long enough to be folded, and to be coloured by the worker. */
const longCode = Array.from({ length: 300 }, (_, at) => `export const value${at} = compute('${at}', ${at}); // line ${at}`).join('\n');

const root = document.getElementById('root');
if (root) {
  document.documentElement.style.height = document.body.style.height = 'auto';
  document.body.style.overflow = 'visible';
  root.style.cssText = 'max-width:668px;margin:0 auto;padding:24px;height:auto';
  createRoot(root).render(
    <>
      <div
        style={{
          margin: '0 0 20px auto',
          maxWidth: '82%',
          width: 'fit-content',
          background: 'var(--tint)',
          borderRadius: 8,
          padding: '10px 14px',
        }}
      >
        <UserText text={showcaseUser} />
      </div>
      <div style={{ margin: '0 0 20px auto', maxWidth: '82%', background: 'var(--tint)', borderRadius: 8, padding: '10px 14px' }}>
        <UserText text={'A pasted log line with some words, number after number.\n'.repeat(20_000)} />
      </div>
      <MarkdownView text={`\`\`\`ts\n${longCode}\n\`\`\``} />
      <MarkdownView text={showcase} onOpenLink={(url) => document.title.concat(url)} />
    </>,
  );
}
