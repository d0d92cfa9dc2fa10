import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useEndpointActions } from './webhooks.ts';

/** Delivers the events after a sequence number once more. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const { t } = useLanguage();
  const { replay } = useEndpointActions(endpointId);
  const [since, setSince] = useState('0');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.mutate(Number(since));
  };
  return (
    <Dialog title={t('webhooks.replay')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('webhooks.since')}
          description={t('webhooks.sinceHint')}
          inputMode="numeric"
          mono
          value={since}
          onChange={setSince}
          error={fieldErrorOf(replay.error, 'since_sequence')}
        />
        <ErrorNotice error={replay.error} />
        {replay.data && <Notice kind="success">{t('webhooks.replayed', { count: replay.data.replayed })}</Notice>}
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={replay.isPending}>
            {t('webhooks.replay')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
