import type { Pool } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useRemovePool } from './pools.ts';

/** Removes a pool for good, once that is confirmed: the API has no undo of it. */
export function RemoveDialog({ pool: { id, name }, onClose }: { pool: Pool; onClose: () => void }) {
  const { t } = useLanguage();
  const remove = useRemovePool();
  return (
    <Dialog title={t('pools.removeNamed', { name })} isOpen onClose={onClose}>
      <p>{t('pools.removeText')}</p>
      <ErrorNotice error={remove.error} />
      <DialogActions onCancel={onClose}>
        <Button kind="danger" isPending={remove.isPending} onPress={() => remove.mutate(id, { onSuccess: onClose })}>
          {t('action.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
