import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../texts/language.tsx';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

interface ChangeDialogProps {
  readonly title: string;
  readonly change: Pick<UseMutationResult<unknown, unknown, never>, 'error' | 'isPending'>;
  readonly onContinue: () => void;
  readonly onClose: () => void;
  /** What the change means, where the title does not say all. */
  readonly children?: ReactNode;
}

/** Asks before a change that takes something away. */
export function ChangeDialog({ title, change, onContinue, onClose, children }: ChangeDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      <ErrorNotice error={change.error} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" isPending={change.isPending} onPress={onContinue}>
          {t('settings.continue')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
