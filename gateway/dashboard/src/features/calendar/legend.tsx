import { useLanguage } from '../../texts/language.tsx';
import type { LessonState } from './layout/layout.ts';

const STATES: readonly LessonState[] = ['scheduled', 'attended', 'no_show', 'excused', 'cancelled'];

/** The meaning of the colours, and how to move lessons. */
export function Legend({ canMove }: { canMove: boolean }) {
  const { t } = useLanguage();
  return (
    <div className="legend">
      <ul className="plain-list row">
        {STATES.map((state) => (
          <li key={state} className="legend-state" data-state={state}>
            {t(`lesson.${state}`)}
          </li>
        ))}
        <li className="legend-state" data-state="outside">
          {t('calendar.outside')}
        </li>
        <li className="legend-state" data-state="closed">
          {t('calendar.closed')}
        </li>
      </ul>
      <p className="hint">{canMove ? t('calendar.how') : t('calendar.howToRead')}</p>
    </div>
  );
}
