import type { SandboxClock } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** Resets the sandbox; whatever is shown of it is read anew. */
function useReset() {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.sandbox.reset(),
    onSuccess: () => queries.invalidateQueries({ queryKey: [environment] }),
  });
}

type Reset = ReturnType<typeof useReset>;

function ConfirmDialog({ reset, onClose }: { reset: Reset; onClose: () => void }) {
  const { t } = useLanguage();
  const { name } = useMe().account;
  const { values, set, submit } = useForm({ typed: '' }, () => reset.mutate(undefined, { onSuccess: onClose }));
  return (
    <Dialog title={t('sandboxReset.title')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('sandboxReset.text')}</p>
        <TextField
          label={t('sandboxReset.type', { name })}
          value={values.typed}
          onChange={(typed) => set({ typed })}
          autoComplete="off"
          autoFocus
        />
        <ErrorNotice error={reset.error} />
        <DialogActions onCancel={onClose}>
          <Button
            kind="danger"
            type="submit"
            isPending={reset.isPending}
            isDisabled={values.typed.trim() !== name.trim()}
          >
            {t('sandboxReset.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The reset of the sandbox: confirmed by the name of the account, with its progress and its end. */
export function ResetSection({ clock }: { clock: SandboxClock }) {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const reset = useReset();
  const begin = () => {
    reset.reset();
    setOpen(true);
  };
  return (
    <Section title={t('sandboxReset.title')} lead={t('sandboxReset.lead')}>
      {clock.resetting && <Notice>{t('sandboxReset.progress')}</Notice>}
      {reset.isSuccess && !clock.resetting && <Notice kind="success">{t('sandboxReset.done')}</Notice>}
      <div>
        <Button kind="danger" isDisabled={clock.resetting === true} onPress={begin}>
          {t('sandboxReset.open')}
        </Button>
      </div>
      {isOpen && <ConfirmDialog reset={reset} onClose={() => setOpen(false)} />}
    </Section>
  );
}
