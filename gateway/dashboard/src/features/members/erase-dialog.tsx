import type { Member } from '@swim/sdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useErase } from './members.ts';

function ConfirmForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const erase = useErase(member.id);
  const { values, set, submit } = useForm({ name: '' }, () =>
    erase.mutate(undefined, { onSuccess: () => navigate('/members') }),
  );
  return (
    <Dialog title={t('members.eraseTitle', { name: member.name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Notice kind="warning">{t('members.eraseText')}</Notice>
        <TextField
          label={t('members.eraseName')}
          value={values.name}
          onChange={(name) => set({ name })}
          autoComplete="off"
          isRequired
          autoFocus
        />
        <ErrorNotice error={erase.error} />
        <DialogActions onCancel={onClose}>
          <Button
            kind="danger"
            type="submit"
            isPending={erase.isPending}
            isDisabled={values.name.trim() !== member.name}
          >
            {t('members.erase')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Erases a member for good. The name has to be typed first: nothing brings the data back. */
export function Erase({ member }: { member: Member }) {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="card stack">
      <p>{t('members.eraseText')}</p>
      <div>
        <Button onPress={() => setOpen(true)}>{t('members.erase')} …</Button>
      </div>
      {isOpen && <ConfirmForm member={member} onClose={() => setOpen(false)} />}
    </div>
  );
}
