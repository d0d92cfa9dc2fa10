import type { UseMutationResult } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

interface ChangeDialogProps {
  readonly title: string;
  readonly change: Pick<UseMutationResult<unknown, unknown, never>, 'error' | 'isPending'>;
  readonly onContinue: () => void;
  readonly onClose: () => void;
}

/** Asks before a change that takes something away. */
export function ChangeDialog({ title, change, onContinue, onClose }: ChangeDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ErrorNotice error={change.error} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" isPending={change.isPending} onPress={onContinue}>
          {t('settings.continue')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
