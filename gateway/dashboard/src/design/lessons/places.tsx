import { useLanguage } from '../../texts/language.tsx';

/** How many places are taken, as a bar and in numbers. */
export function Places({ left, capacity }: { left: number; capacity: number }) {
  const { t } = useLanguage();
  const taken = Math.max(capacity - left, 0);
  return (
    <span className="places">
      <span className="places-bar" data-full={left === 0 || undefined} aria-hidden="true">
        <span style={{ width: `${(100 * taken) / capacity}%` }} />
      </span>
      {t('lessons.taken', { count: taken, capacity })}
    </span>
  );
}
