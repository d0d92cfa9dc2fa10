import type { Family } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useClaim } from './connections.ts';

/** Claims an account of the sandbox in place of its family, and shows the key that it gets, once. */
export function ClaimDialog({ family: { account_id: id, name }, onClose }: { family: Family; onClose: () => void }) {
  const { t } = useLanguage();
  const { claim, refresh } = useClaim(id);
  const key = claim.data?.key;
  const close = () => {
    onClose();
    // The account is claimed: the page that opened the dialog has no more place for it.
    if (key) void refresh();
  };
  return (
    <Dialog title={t('families.claimTitle', { name: name ?? '' })} isOpen onClose={close} isDismissable={!key}>
      <p>{t(key ? 'families.claimedText' : 'families.claimText')}</p>
      {key && <Copyable label={t('families.key')} text={key} />}
      <ErrorNotice error={claim.error} />
      {key ? (
        <DialogActions>
          <Button kind="primary" onPress={close}>
            {t('action.done')}
          </Button>
        </DialogActions>
      ) : (
        <DialogActions onCancel={onClose}>
          <Button kind="primary" isPending={claim.isPending} onPress={() => claim.mutate()}>
            {t('families.claim')}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
