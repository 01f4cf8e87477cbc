// Model servers found on this machine, looked for when a view that shows them opens.
import { useCallback, useEffect, useState } from 'react';
import type { LocalServer } from '../../shared/contract';
import type { Failure } from '../../shared/model/failure';
import { failureOf } from '../bridge';
import { client } from './client';

export type LocalSearch = { servers: LocalServer[] | null; failure: Failure | null; look(): void };

export function useLocalServers(): LocalSearch {
  const [servers, setServers] = useState<LocalServer[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const look = useCallback(() => {
    setServers(null);
    setFailure(null);
    client()
      .settings.discoverLocal()
      .then(setServers, (error: unknown) => {
        setServers([]);
        setFailure(failureOf(error));
      });
  }, []);
  useEffect(look, [look]);
  return { servers, failure, look };
}
