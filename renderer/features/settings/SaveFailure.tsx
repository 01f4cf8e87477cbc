// Why a change could not be kept, beside the change.
import type { Failure } from '../../../shared/model/failure';
import { FailureText } from '../../ui/FailureText';
import styles from './Section.module.css';

export function SaveFailure({ failure }: { failure: Failure | null }) {
  if (!failure) return null;
  return (
    <div role="alert" className={styles.failed}>
      <FailureText failure={failure} />
    </div>
  );
}
