import type { ListedInstructor, Session, Lesson as StoredLesson } from '@swim/sdk';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { CancelSessionDialog } from '../../../design/lessons/cancel-session-dialog.tsx';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useRefresh } from '../calendar-data.ts';
import type { Lesson } from '../layout/layout.ts';
import { LessonDialog } from './lesson-dialog.tsx';
import { type Target, useMove } from './move.ts';
import { MoveDialog } from './move-dialog.tsx';

/** The dialog that is open. */
export type Opened =
  | { readonly dialog: 'lesson'; readonly lesson: Lesson }
  | { readonly dialog: 'move'; readonly lesson: StoredLesson; readonly target: Target }
  | { readonly dialog: 'cancel'; readonly session: Session }
  | null;

interface Moved {
  readonly before: Target;
  readonly after: StoredLesson;
}

function Undo({ moved, onDone }: { moved: Moved; onDone: () => void }) {
  const { t } = useLanguage();
  const move = useMove();
  const undo = () => move.mutate({ lesson: moved.after, target: moved.before }, { onSuccess: onDone });
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

const placeOf = ({ date, instructor_id: instructorId }: StoredLesson): Target => ({ date, instructorId });

/** The dialogs of the calendar, and the way back after a move. */
export function Dialogs({ opened, onOpen, instructors, names, nowMs }: DialogsProps) {
  const refresh = useRefresh();
  const [moved, setMoved] = useState<Moved | null>(null);
  const close = () => onOpen(null);
  const keep = (before: Target, after: StoredLesson) => {
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
          onMove={(lesson) => onOpen({ dialog: 'move', lesson, target: placeOf(lesson) })}
          onCancel={(session) => onOpen({ dialog: 'cancel', session })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'move' && (
        <MoveDialog
          lesson={opened.lesson}
          target={opened.target}
          instructors={instructors}
          onMoved={keep}
          onClose={close}
        />
      )}
      {opened?.dialog === 'cancel' && (
        <CancelSessionDialog sessionId={opened.session.id} onCancelled={refresh} onClose={close} />
      )}
    </>
  );
}
