import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useAddMember } from './connections.ts';
import type { DialogProps } from './end-dialog.tsx';
import { memberBodyOf, newMember } from './family-body.ts';
import { MemberFields } from './member-fields.tsx';

/** Adds a member to a family that nobody has claimed. */
export function AddMemberDialog({ connection, onClose }: DialogProps) {
  const { t } = useLanguage();
  const add = useAddMember(connection);
  const { values, set, submit } = useForm(newMember, (sent) => {
    const { external_id: _, ...body } = memberBodyOf(sent);
    add.mutate(body, { onSuccess: onClose });
  });
  return (
    <Dialog title={t('families.addMember')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <MemberFields values={values} set={set} error={add.error} hasExternalId={false} />
        <ErrorNotice error={add.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={add.isPending}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
