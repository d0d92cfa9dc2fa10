import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows the recovery codes, this once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useLanguage();
  return (
    <Dialog title={t('settings.codesTitle')} isOpen onClose={onClose} isDismissable={false}>
      <Notice kind="warning">{t('settings.codesNotice')}</Notice>
      <ul className="plain-list recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onPress={() => void navigator.clipboard.writeText(codes.join('\n'))}>{t('action.copy')}</Button>
        <Button kind="primary" onPress={onClose}>
          {t('keys.stored')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
