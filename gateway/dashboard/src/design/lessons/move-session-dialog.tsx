import type { Session } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useZones } from '../../api/zones.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { FreeTimes } from '../free-times/free-times.tsx';
import { ErrorNotice, Notice } from '../notice.tsx';
import { Loading } from '../page.tsx';
import { instantText } from '../values/instant-text.ts';
import { wallClockAt } from '../values/wall-clock.ts';
import { Instant } from '../values/when.tsx';

interface MoveSessionDialogProps {
  readonly session: Session;
  /** Reads again what the page shows. */
  readonly onMoved: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Moves a private lesson to another free time of its instructor. */
export function MoveSessionDialog({ session, onMoved, onClose }: MoveSessionDialogProps) {
  const { t, tag } = useLanguage();
  const client = useClient();
  const timeZone = useZones([session])(session);
  const [date, setDate] = useState<string | null>(null);
  const body = date ? { date, version: session.version } : null;
  const preview = useDryRun(`move-${session.id}`, body, (changes, options) =>
    client.sessions.update(session.id, changes, options),
  );
  const send = useOnce((changes: { date: string; version: number }, idempotencyKey) =>
    client.sessions.update(session.id, changes, { idempotencyKey }),
  );
  const move = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await onMoved();
      onClose();
    },
  });
  const pick = (next: string) => {
    move.reset();
    setDate(next);
  };
  return (
    <Dialog title={t('calendar.moveTitle')} isOpen onClose={onClose} wide>
      <p className="hint">
        {t('open.now')} <Instant at={session.date} timeZone={timeZone} />
      </p>
      <FreeTimes
        minutes={session.duration_minutes}
        instructorId={session.instructor_id}
        startsOn={wallClockAt(session.date, timeZone).date}
        picked={date ? { instructorId: session.instructor_id, date } : null}
        onPick={(picked) => pick(picked.date)}
      />
      <div aria-live="polite">
        {preview.isPending && <Loading />}
        {date && preview.data && (
          <Notice kind="success">{t('calendar.isFree', { when: instantText(date, tag, timeZone) })}</Notice>
        )}
        <ErrorNotice error={move.error ?? preview.error} />
      </div>
      <DialogActions onCancel={onClose}>
        <Button
          kind="primary"
          isPending={move.isPending}
          isDisabled={!preview.data}
          onPress={() => body && move.mutate(body)}
        >
          {t('calendar.move')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
