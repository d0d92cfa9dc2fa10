import type { Lesson } from '@swim/sdk';
import { LEVELS } from '../../api/levels.ts';
import { useLanguage } from '../../texts/language.tsx';

type Bounds = Pick<Lesson, 'levels' | 'min_age_years' | 'max_age_years'>;

/** For which ages a lesson is: the key of its text, by the bounds that it has. */
function agesKeyOf({ min_age_years: least, max_age_years: most }: Bounds) {
  if (least === null && most === null) return null;
  if (most === null) return 'lessons.ages.from';
  return least === null ? 'lessons.ages.to' : 'lessons.ages.between';
}

/** Says for whom a lesson is: levels and ages. */
export function useForWhom(): (lesson: Bounds) => string {
  const { t } = useLanguage();
  return (lesson) => {
    const levels = LEVELS.filter((level) => lesson.levels.includes(level)).map((level) => t(`level.${level}`));
    const key = agesKeyOf(lesson);
    const bounds = { least: lesson.min_age_years ?? '', most: lesson.max_age_years ?? '' };
    const ages = key ? [t(key, bounds)] : [];
    return [...levels, ...ages].join(', ') || t('lessons.everybody');
  };
}
