import type { ApiKey } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useKeyChanges } from './keys.ts';

/** Ends a key for good. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useLanguage();
  const { revoke } = useKeyChanges();
  return (
    <Dialog title={t('keys.revokeOf', { name: apiKey.name })} isOpen onClose={onClose}>
      <p>{t('keys.revokeText', { last4: apiKey.last4 })}</p>
      <ErrorNotice error={revoke.error} />
      <DialogActions onCancel={onClose}>
        <Button
          kind="danger"
          isPending={revoke.isPending}
          onPress={() => revoke.mutate(apiKey.id, { onSuccess: onClose })}
        >
          {t('keys.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
