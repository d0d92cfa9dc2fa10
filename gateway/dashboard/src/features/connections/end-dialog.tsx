import type { Connection } from '@swim/sdk';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useConnectionActions } from './connections.ts';

export interface DialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

interface EndDialogProps extends DialogProps {
  /** Whom the connection is with. */
  readonly name: string;
  /** Whether it is with a family that has not claimed its account, which its end erases. */
  readonly isUnclaimed?: boolean;
}

/** Ends a connection. */
export function EndDialog({ connection, name, isUnclaimed, onClose }: EndDialogProps) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const { end } = useConnectionActions(connection);
  const { values, set, submit } = useForm({ notify: true }, ({ notify }) => end.mutate(notify, { onSuccess: onClose }));
  return (
    <Dialog title={t('connections.endNamed', { name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Notice kind="warning">{t(`connections.endText.${isUnclaimed ? 'unclaimed' : kind}`)}</Notice>
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
          {t('calendar.notify')}
        </Checkbox>
        <ErrorNotice error={end.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="danger" type="submit" isPending={end.isPending}>
            {t('connections.end')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
