import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clientIn, type Environment } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Table } from '../../design/tables/table.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** A key that a user has made, who may know its text. */
export interface KeyOfUser {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly environment: Environment;
}

const nameOf = ({ name, last4 }: KeyOfUser) => (
  <>
    <strong>{name}</strong> <code className="hint">…{last4}</code>
  </>
);

interface DialogProps {
  /** The name of the user. */
  readonly name: string;
  readonly keys: readonly KeyOfUser[];
  readonly onClose: () => void;
}

/** Offers to revoke the keys of a user who was removed, or may do less than before: they go on until then. */
export function KeysOfUserDialog({ name, keys, onClose }: DialogProps) {
  const { t } = useLanguage();
  const { account } = useMe();
  const queries = useQueryClient();
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const revoke = useMutation({
    mutationFn: ({ id, environment }: KeyOfUser) => clientIn(environment).keys.revoke(account.id, id),
    onSuccess: (_, { id, environment }) => {
      setRevoked((known) => [...known, id]);
      return queries.invalidateQueries({ queryKey: [environment, 'keys'] });
    },
  });
  const revokeOf = (key: KeyOfUser) =>
    revoked.includes(key.id) ? (
      <Badge>{t('keys.status.revoked')}</Badge>
    ) : (
      <Button
        small
        kind="danger"
        isPending={revoke.isPending && revoke.variables.id === key.id}
        onPress={() => revoke.mutate(key)}
        aria-label={t('keys.revokeOf', { name: key.name })}
      >
        {t('keys.revoke')}
      </Button>
    );
  return (
    <Dialog title={t('settings.keysOf', { name })} isOpen onClose={onClose} isDismissable={false} wide>
      <p>{t('settings.keysOfText', { name })}</p>
      <Table
        label={t('settings.keysOf', { name })}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: t('keys.name'), cell: nameOf },
          {
            key: 'environment',
            title: t('environment.label'),
            cell: ({ environment }) => t(`environment.${environment}`),
          },
          { key: 'revoke', title: t('keys.revoke'), hideTitle: true, cell: revokeOf },
        ]}
      />
      <ErrorNotice error={revoke.error} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
