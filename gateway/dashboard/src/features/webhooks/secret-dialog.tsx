import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** Shows a secret that was made just now. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useLanguage();
  return (
    <Dialog title={t('webhooks.secretTitle')} isOpen onClose={onClose} isDismissable={false} wide>
      <Notice kind="warning">{t('webhooks.secretNotice')}</Notice>
      <Copyable label={t('webhooks.secretTitle')} text={secret} />
      <p className="hint">
        {t('webhooks.verify')} <a href="/docs/webhooks">{t('webhooks.guide')}</a>
      </p>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t('action.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
