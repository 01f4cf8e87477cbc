// Model servers found on this machine: looking, found, none; each can be taken with one click.
import { Server } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalServer } from '../../../shared/contract';
import type { Failure } from '../../../shared/model/failure';
import { Badge } from '../Badge';
import { Button } from '../Button';
import { Combobox } from '../Combobox';
import { FailureText } from '../FailureText';
import styles from './LocalServers.module.css';

type LocalServersProps = {
  /** Null while looking. */
  servers: readonly LocalServer[] | null;
  failure: Failure | null;
  onLook(): void;
  /** The button of each server. */
  useLabel: string;
  onUse(server: LocalServer, model: string | null): void;
  busy: string | null;
  /** Lets the person choose the model at once. */
  chooseModel?: boolean | undefined;
  isAdded?: ((server: LocalServer) => boolean) | undefined;
};

export function LocalServers({ servers, failure, onLook, ...row }: LocalServersProps) {
  const { t } = useTranslation('ui');
  if (!servers) {
    return (
      <p role="status" className={styles.looking}>
        {t('local.looking')}
      </p>
    );
  }
  return (
    <div className={styles.found}>
      {failure ? <FailureText failure={failure} /> : null}
      {servers.length === 0 ? (
        <div className={styles.none}>
          <p role="status">{t('local.none')}</p>
          <Button size="small" onClick={onLook}>
            {t('local.again')}
          </Button>
        </div>
      ) : (
        <ul className={styles.list}>
          {servers.map((server) => (
            <ServerRow key={server.baseUrl} server={server} {...row} />
          ))}
        </ul>
      )}
    </div>
  );
}

type ServerRowProps = Pick<LocalServersProps, 'useLabel' | 'onUse' | 'busy' | 'chooseModel' | 'isAdded'> & { server: LocalServer };

function ServerRow({ server, useLabel, onUse, busy, chooseModel = false, isAdded }: ServerRowProps) {
  const { t } = useTranslation('ui');
  const [model, setModel] = useState(server.models[0]?.id ?? null);
  const options = server.models.map((offered) => ({ value: offered.id, label: offered.name ?? offered.id }));
  return (
    <li className={styles.server}>
      <Server aria-hidden="true" />
      <div className={styles.words}>
        <span className={styles.name}>{server.name}</span>
        <span className={styles.detail}>
          <code>{server.baseUrl.replace(/^https?:\/\//, '')}</code> {t('local.models', { count: server.models.length })}
        </span>
      </div>
      {chooseModel && options.length > 1 ? (
        <div className={styles.model}>
          <Combobox
            label={t('local.model', { name: server.name })}
            hideLabel
            value={model}
            options={options}
            onChange={setModel}
            placeholder={t('model.choose')}
            searchLabel={t('model.search')}
            noMatch={t('model.noMatch')}
          />
        </div>
      ) : null}
      {isAdded?.(server) ? (
        <Badge tone="accent">{t('local.added')}</Badge>
      ) : (
        <Button
          size="small"
          busy={busy === server.baseUrl}
          aria-label={t('local.useOf', { action: useLabel, name: server.name })}
          disabled={chooseModel && model === null}
          onClick={() => onUse(server, model)}
        >
          {useLabel}
        </Button>
      )}
    </li>
  );
}
