import type { ApiKey } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly addresses: readonly string[];
  /** ISO 8601; null: it does not end. */
  readonly expiresAt: string | null;
}

/** Changes of keys; each lists them anew when it is done. */
export function useKeyChanges() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: [environment, 'keys'] });
  const create = useMutation({
    mutationFn: ({ name, scopes, addresses, expiresAt }: NewKey) =>
      client.keys.create(account.id, {
        name,
        scopes: [...scopes] as ApiKey['scopes'],
        ip_allowlist: [...addresses],
        expires_at: expiresAt,
      }),
    onSuccess,
  });
  const roll = useMutation({
    mutationFn: ({ id, hours }: { id: string; hours: number }) =>
      client.keys.roll(account.id, id, { overlap_hours: hours }),
    onSuccess,
  });
  const revoke = useMutation({ mutationFn: (id: string) => client.keys.revoke(account.id, id), onSuccess });
  return { create, roll, revoke };
}
