// Copies a text and says for a moment whether that worked.
import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTextHost } from './textHost';

type Props = { text: () => string; label: string; disabled?: boolean };

const icons = { idle: Copy, copied: Check, failed: X };

export function CopyButton({ text, label, disabled = false }: Props) {
  const { t } = useTranslation('text');
  const { copy } = useTextHost();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const run = () => {
    void copy(text()).then((copied) => setState(copied ? 'copied' : 'failed'));
  };
  const Icon = icons[state];
  const hint = state === 'idle' ? label : t(`copy.${state}`);
  return (
    <button type="button" className="md-tool" data-state={state} aria-label={label} title={hint} disabled={disabled} onClick={run}>
      <Icon size={15} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
