//! Many independent pieces of work on a few threads, and one place where results arrive.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;

use anyhow::Result;

/// Results that may wait for the one place.
const WAITING: usize = 1_024;

/// Does all `jobs`, so many at a time. `collect` gets the results with the numbers of their
/// jobs, in the order in which they come, as many at once as wait. The first error ends it.
pub(crate) fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    threads: usize,
    work: impl Fn(&J) -> Result<R> + Sync,
    mut collect: impl FnMut(Vec<(usize, R)>) -> Result<()>,
) -> Result<()> {
    let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (results, arrived) = sync_channel(WAITING);
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            let (results, next, halt, work) = (results.clone(), &next, &halt, &work);
            scope.spawn(move || {
                while !halt.load(Relaxed) {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(job) = jobs.get(index) else { return };
                    let result = work(job).map(|result| (index, result));
                    // Nobody listens any more after an error.
                    if results.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let collected = arrived.iter().try_for_each(|first| {
            let waiting = std::iter::once(first).chain(arrived.try_iter());
            collect(waiting.collect::<Result<Vec<_>>>()?)
        });
        halt.store(true, Relaxed);
        drop(arrived);
        collected
    })
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn every_job_is_done_once_and_an_error_ends_all() {
        let jobs: Vec<usize> = (0..3_000).collect();
        let mut seen = vec![0; jobs.len()];
        let collect = |results: Vec<(usize, usize)>| {
            for (index, double) in results {
                assert_eq!(double, 2 * index);
                seen[index] += 1;
            }
            Ok(())
        };
        in_parallel(&jobs, 4, |job| Ok(2 * job), collect).unwrap();
        assert!(seen.iter().all(|&times| times == 1));
        let fail = |&job: &usize| if job == 5 { bail!("five") } else { Ok(()) };
        assert_eq!(in_parallel(&jobs, 2, fail, |_| Ok(())).unwrap_err().to_string(), "five");
        let full = in_parallel(&jobs, 2, |_| Ok(()), |_| bail!("no room"));
        assert_eq!(full.unwrap_err().to_string(), "no room");
        in_parallel(&[] as &[usize], 2, |_| Ok(()), |_| bail!("nothing")).unwrap();
    }
}
