import type { Lesson, Session } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useZones } from '../../api/zones.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { instantText } from '../values/instant-text.ts';
import { CancelSessionDialog } from './cancel-session-dialog.tsx';
import { ChangeLessonDialog } from './change-lesson-dialog.tsx';
import { MoveSessionDialog } from './move-session-dialog.tsx';
import { useRefresh } from './open-lessons.ts';

const IDS = 100;

/** The lessons of sessions. */
function useLessonsOf(sessions: readonly Session[]): ReadonlyMap<string, Lesson> {
  const client = useClient();
  const environment = useEnvironment();
  const ids = [...new Set(sessions.map(({ lesson_id: id }) => id))].sort();
  const { data } = useQuery({
    queryKey: [environment, 'lessons', 'of-sessions', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / IDS) }, (_, at) => ids.slice(at * IDS, (at + 1) * IDS));
      const pages = parts.map((part) => client.lessons.list({ ids: part.join(), limit: IDS }, { signal }));
      const lessons = (await Promise.all(pages)).flatMap((page) => page.data);
      return new Map(lessons.map((lesson) => [lesson.id, lesson]));
    },
  });
  return data ?? new Map();
}

interface Opened {
  readonly dialog: 'change' | 'move' | 'cancel';
  readonly session: Session;
}

interface ActionsProps {
  readonly session: Session;
  readonly when: string;
  /** Absent until it is read. */
  readonly lesson: Lesson | undefined;
  readonly onOpen: (opened: Opened) => void;
}

function Actions({ session, when, lesson, onOpen }: ActionsProps) {
  const { t } = useLanguage();
  return (
    <span className="row">
      {lesson?.bookable && (
        <Button
          small
          aria-label={t('open.changeNamed', { when })}
          onPress={() => onOpen({ dialog: 'change', session })}
        >
          {t('open.changeAction')}
        </Button>
      )}
      {lesson && !lesson.bookable && (
        <Button small aria-label={t('open.moveNamed', { when })} onPress={() => onOpen({ dialog: 'move', session })}>
          {t('calendar.moveMember')}
        </Button>
      )}
      <Button small aria-label={t('open.cancelNamed', { when })} onPress={() => onOpen({ dialog: 'cancel', session })}>
        {t('open.cancelAction')}
      </Button>
    </span>
  );
}

interface DialogOfProps {
  readonly opened: Opened;
  readonly lesson: Lesson | undefined;
  readonly timeZone: string;
  readonly onClose: () => void;
}

function DialogOf({ opened: { dialog, session }, lesson, timeZone, onClose }: DialogOfProps) {
  const refresh = useRefresh();
  if (dialog === 'change')
    return lesson && <ChangeLessonDialog session={session} lesson={lesson} onChanged={refresh} onClose={onClose} />;
  if (dialog === 'move') return <MoveSessionDialog session={session} onMoved={refresh} onClose={onClose} />;
  return <CancelSessionDialog sessionId={session.id} timeZone={timeZone} onCancelled={refresh} onClose={onClose} />;
}

/**
 * What a family can do with each of its lessons to come, and the dialog that is open: cancel it, change to another lesson of the
 * school, and move a private one to another time.
 */
export function useSessionActions(sessions: readonly Session[]) {
  const { tag } = useLanguage();
  const { account } = useMe();
  const canWrite = useScopes()('sessions:write');
  const nowMs = useNow();
  const zoneOf = useZones(sessions);
  const isOpen = ({ account_id: id, status, date }: Session) =>
    canWrite && id === account.id && status === 'scheduled' && Date.parse(date) > nowMs;
  const lessons = useLessonsOf(sessions.filter(isOpen));
  const [opened, setOpened] = useState<Opened | null>(null);
  const actionsOf = (session: Session): ReactNode =>
    isOpen(session) && (
      <Actions
        session={session}
        when={instantText(session.date, tag, zoneOf(session))}
        lesson={lessons.get(session.lesson_id)}
        onOpen={setOpened}
      />
    );
  const dialog = opened && (
    <DialogOf
      opened={opened}
      lesson={lessons.get(opened.session.lesson_id)}
      timeZone={zoneOf(opened.session)}
      onClose={() => setOpened(null)}
    />
  );
  return { actionsOf, dialog };
}
