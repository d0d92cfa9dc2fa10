import type { LiveState } from '../api/live-events.ts';
import { useLanguage } from '../texts/language.tsx';

/** Says whether what a page shows follows what happens. */
export function LiveMark({ state }: { state: LiveState }) {
  const { t } = useLanguage();
  return (
    <span className="live-mark" data-state={state} role="status">
      {t(`live.${state}`)}
    </span>
  );
}
