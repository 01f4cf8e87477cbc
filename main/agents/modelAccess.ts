// What agents ask of the program to reach a model. Settings and keys are looked up at each call, so a change holds at once.
import type { Agent } from '../../shared/model/agent';
import type { Failure } from '../../shared/model/failure';
import type { AgentId } from '../../shared/model/ids';
import type { Lesson, ModelInfo } from '../../shared/model/provider';
import type { Preferences, Roles } from '../../shared/model/settings';
import type { Connection, Provider } from '../providers/port';

export type ReachedModel = {
  provider: Provider;
  connection: Connection;
  model: ModelInfo;
  /** Served by this machine or network (P3: no limit before the first event). */
  local: boolean;
};

export type ModelAccess = {
  /** Loads the adapter and the key of `providerId/modelId`; a failure when there is none. */
  reach(modelRef: string): Promise<ReachedModel | Failure>;
  /** Facts about a model without loading anything, with the limits in force (L7); null when it is unknown. */
  modelInfo(modelRef: string): ModelInfo | null;
  /** Keeps what a refusal of its server taught (L7, S10). */
  learn(modelRef: string, lesson: Lesson): void;
  /** The agent by id, or the one that answers when nobody was chosen. */
  agent(id: AgentId | null): Agent | null;
  /** All that are set up. */
  agents(): Agent[];
  preferences(): Preferences;
  roles(): Roles;
};

export function isFailure(value: ReachedModel | Failure): value is Failure {
  return 'code' in value;
}
