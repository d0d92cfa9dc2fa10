import type { ListedInstructor, Session } from '@swim/sdk';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import type { Lesson } from '../layout/layout.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { LessonDialog } from './lesson-dialog.tsx';
import { type Target, useMove } from './move.ts';
import { MoveDialog } from './move-dialog.tsx';

/** The dialog that is open. */
export type Opened =
  | { readonly dialog: 'lesson'; readonly lesson: Lesson }
  | { readonly dialog: 'move'; readonly session: Session; readonly target: Target }
  | { readonly dialog: 'cancel'; readonly session: Session }
  | null;

interface Moved {
  readonly before: Target;
  readonly after: Session;
}

function Undo({ moved, onDone }: { moved: Moved; onDone: () => void }) {
  const { t } = useLanguage();
  const move = useMove();
  const undo = () => move.mutate({ session: moved.after, target: moved.before }, { onSuccess: onDone });
  return (
    <div className="toast">
      <Notice kind="success">
        <span className="row">
          {t('calendar.moved')}
          <Button small isPending={move.isPending} onPress={undo}>
            {t('calendar.undo')}
          </Button>
          <Button small kind="quiet" onPress={onDone}>
            {t('action.close')}
          </Button>
        </span>
      </Notice>
      <ErrorNotice error={move.error} />
    </div>
  );
}

interface DialogsProps {
  readonly opened: Opened;
  readonly onOpen: (opened: Opened) => void;
  readonly instructors: readonly ListedInstructor[];
  readonly names: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

const placeOf = ({ date, instructor_id: instructorId }: Session): Target => ({ date, instructorId });

/** The dialogs of the calendar, and the way back after a move. */
export function Dialogs({ opened, onOpen, instructors, names, nowMs }: DialogsProps) {
  const [moved, setMoved] = useState<Moved | null>(null);
  const close = () => onOpen(null);
  const keep = (before: Target, after: Session) => {
    setMoved({ before, after });
    close();
  };
  return (
    <>
      {moved && <Undo key={moved.after.version} moved={moved} onDone={() => setMoved(null)} />}
      {opened?.dialog === 'lesson' && (
        <LessonDialog
          lesson={opened.lesson}
          instructor={instructors.find(({ id }) => id === opened.lesson.instructorId)?.name ?? ''}
          names={names}
          nowMs={nowMs}
          onMove={(session) => onOpen({ dialog: 'move', session, target: placeOf(session) })}
          onCancel={(session) => onOpen({ dialog: 'cancel', session })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'move' && (
        <MoveDialog
          session={opened.session}
          target={opened.target}
          instructors={instructors}
          onMoved={keep}
          onClose={close}
        />
      )}
      {opened?.dialog === 'cancel' && <CancelDialog session={opened.session} onClose={close} />}
    </>
  );
}
