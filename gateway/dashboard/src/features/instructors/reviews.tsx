import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Empty, Shown } from '../../design/page.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useReviews } from './instructors.ts';

/** The reviews of an instructor. */
export function Reviews({ instructorId }: { instructorId: string }) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const pages = useReviews(instructorId);
  return (
    <Shown query={{ data: pages.rows, error: pages.error, isPending: pages.isPending }}>
      {(reviews) =>
        reviews.length === 0 ? (
          <Empty title={t('instructors.noReviews')}>{t('instructors.noReviewsText')}</Empty>
        ) : (
          <ul className="plain-list stack">
            {reviews.map(({ id, stars, comment, created_at: at }) => (
              <li key={id} className="card stack-tight">
                <span className="row">
                  <strong>{t('instructors.given', { stars })}</strong>
                  <span className="hint">
                    <Instant at={at} timeZone={timezone} />
                  </span>
                </span>
                {comment && <p>{comment}</p>}
              </li>
            ))}
            {pages.hasNextPage && (
              <li>
                <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
                  {t('action.more')}
                </Button>
              </li>
            )}
          </ul>
        )
      }
    </Shown>
  );
}
