// Starts the window: connects to main, draws, and asks for what the first paint needs.
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { App } from './App';
import { connectBridge } from './bridge';
import { StartFailed } from './features/shell/StartFailed';
import { showSystemTheme } from './features/shell/useAppearance';
import { wordsForHooks } from './i18n';
import { setClient } from './state/client';
import { startSync } from './state/sync';
import { warmUp } from './text/warmUp';
import { learnLayout } from './ui/keys';

async function start(at: HTMLElement): Promise<void> {
  showSystemTheme();
  const root = createRoot(at);
  const draw = (view: React.ReactNode) =>
    root.render(
      <StrictMode>
        <I18nextProvider i18n={wordsForHooks}>{view}</I18nextProvider>
      </StrictMode>,
    );
  try {
    setClient(await connectBridge());
    draw(<App />);
    const started = startSync();
    // The questions are on their way: until main answers there is time.
    const warm = warmUp();
    void learnLayout();
    window.addEventListener('focus', () => void learnLayout());
    await started;
    warm();
  } catch (error) {
    draw(<StartFailed error={error} />);
  }
}

const root = document.getElementById('root');
if (root) void start(root);
