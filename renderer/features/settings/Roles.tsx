// Which models do the small jobs beside the talk.
import { useTranslation } from 'react-i18next';
import type { RoleName } from '../../../shared/model/settings';
import { useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { useSave } from '../../state/useSave';
import { ModelChoice } from './ModelChoice';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';

const own = 'own';
const names: RoleName[] = ['title', 'compaction'];

export function Roles() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('section.roles')} text={t('roles.text')}>
      <Group>
        {names.map((role) => (
          <RoleChoice key={role} of={role} />
        ))}
      </Group>
    </Section>
  );
}

/** Saved at once. */
export function RoleChoice({ of: role }: { of: RoleName }) {
  const { t } = useTranslation('settings');
  const roles = useSettings()?.roles ?? {};
  const { failure, run } = useSave();
  return (
    <>
      <SaveFailure failure={failure} />
      <ModelChoice
        label={t(`roles.${role}.label`)}
        hint={t(`roles.${role}.hint`)}
        value={roles[role] ?? own}
        onChange={(value) => void run(() => client().settings.saveRoles({ ...roles, [role]: value === own ? undefined : value }))}
        none={{ value: own, label: t('roles.own') }}
      />
    </>
  );
}
