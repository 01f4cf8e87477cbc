// What is imported, and what becomes of conversations that are here already.
import { FileJson, FolderOpen, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type ImportMode, importFormats, importModes } from '../../../shared/model/importReport';
import {
  chooseImport,
  chooseImportMode,
  removeImportPath,
  useImportFailure,
  useImportMode,
  useImportPaths,
  useImportStarting,
} from '../../state/importSlice';
import { Button } from '../../ui/Button';
import { FailureText } from '../../ui/FailureText';
import { formatSeries } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import { RadioList } from '../../ui/RadioList';
import styles from './Import.module.css';

export function ImportChoice() {
  const { t, i18n } = useTranslation('import');
  const mode = useImportMode();
  const failure = useImportFailure();
  const starting = useImportStarting();
  const names = formatSeries(
    importFormats.map((format) => t(`format.${format}`)),
    i18n.language,
    'disjunction',
  );
  return (
    <fieldset className={styles.choice} disabled={starting} aria-label={t('what')}>
      <div className={styles.group}>
        <div className={styles.buttons}>
          <Button icon={<FileJson aria-hidden="true" />} onClick={() => void chooseImport(false)}>
            {t('files')}
          </Button>
          <Button icon={<FolderOpen aria-hidden="true" />} onClick={() => void chooseImport(true)}>
            {t('folder')}
          </Button>
        </div>
        <p className={styles.quiet}>{t('kinds', { names })}</p>
        <Chosen />
      </div>
      <RadioList<ImportMode>
        label={t('mode.label')}
        value={mode}
        options={importModes.map((value) => ({ value, label: t(`mode.${value}.name`), hint: t(`mode.${value}.hint`) }))}
        onChange={chooseImportMode}
      />
      {failure ? (
        <div role="alert">
          <FailureText failure={failure} />
        </div>
      ) : null}
    </fieldset>
  );
}

function Chosen() {
  const { t } = useTranslation('import');
  const paths = useImportPaths();
  if (paths.length === 0) return null;
  return (
    <ul className={styles.chosen} aria-label={t('chosen')}>
      {paths.map((path) => (
        <li key={path}>
          <span className={styles.path} title={path}>
            <bdi>{nameOf(path)}</bdi>
          </span>
          <IconButton label={t('remove', { name: nameOf(path) })} size="small" onClick={() => removeImportPath(path)}>
            <X aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const nameOf = (path: string) => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
