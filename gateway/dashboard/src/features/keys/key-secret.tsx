import type { ApiKeyWithText } from '@swim/sdk';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** Shows the text of a key that was made just now. It closes by its button only, so that it is not lost by a click beside it. */
export function KeySecret({ apiKey, onClose }: { apiKey: ApiKeyWithText; onClose: () => void }) {
  const { t } = useLanguage();
  const key = apiKey.key ?? '';
  return (
    <Dialog title={t('keys.secretTitle')} isOpen onClose={onClose} isDismissable={false} wide>
      <Notice kind="warning">{t('keys.secretNotice')}</Notice>
      <Copyable label={t('keys.secretLabel', { name: apiKey.name })} text={key} />
      <div className="stack-tight">
        <h3 className="label">{t('keys.tryIt')}</h3>
        <pre className="code-block">{`curl ${location.origin}/v1/me \\\n  -H "Authorization: Bearer ${key}"`}</pre>
      </div>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t('keys.stored')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
