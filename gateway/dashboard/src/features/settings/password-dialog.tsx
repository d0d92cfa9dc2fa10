import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields.tsx';
import { useForm } from '../../design/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';

interface PasswordDialogProps {
  readonly title: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onPassword: (password: string) => void;
  readonly onClose: () => void;
}

/** Asks for the password before a change that someone at an unlocked screen must not make. */
export function PasswordDialog({ title, error, isPending, onPassword, onClose }: PasswordDialogProps) {
  const { t } = useLanguage();
  const { values, set, submit } = useForm({ password: '' }, ({ password }) => onPassword(password));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('settings.currentPassword')}
          type="password"
          autoComplete="current-password"
          value={values.password}
          onChange={(password) => set({ password })}
          isRequired
          autoFocus
        />
        <ErrorNotice error={error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={isPending}>
            {t('settings.continue')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
