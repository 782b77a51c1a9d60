"""The engine of a cluster: Dask distributed schedules, its workers grade in judging processes.

driver ── order, lab's files (a future, sent to each worker once) ──► Dask worker
driver ◄─ outcome ─ Dask worker ── judging process ── sandbox

A worker keeps each lab in a private folder named by its digest. What a lost worker costs is told
to the driver, which counts tries in its journal; Dask itself is asked to try nothing again.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.bundles.files import content_of, files_of
from grader.course.engines.engine import Order, Outcome, carry_out
from grader.course.key import LabOfClass, grader_digest
from grader.errors import UsageError
from grader.worker.process import Workers

_CONNECTING = "30s"


class DaskEngine:
    """Grades on the workers of a Dask cluster, one submission for each of their threads.

    Args:
        labs: by slug; their files travel to the workers.
        scheduler: its address (`tls://…`); None starts a cluster on this machine.
        jobs: workers of a cluster on this machine.
        tls: the files of the authority, of our certificate and of its key.

    Raises:
        UsageError: the extra is not installed, or no scheduler answers there.
    """

    def __init__(
        self,
        labs: Mapping[str, LabOfClass],
        *,
        scheduler: str | None = None,
        jobs: int = 2,
        tls: tuple[Path | None, Path | None, Path | None] = (None, None, None),
    ) -> None:
        try:
            import dask
            import distributed as dd
        except ImportError:
            how = "pip install '.[dask]' where the grader comes from"
            raise UsageError(f"the engine `dask` is not installed: {how}") from None
        distributed: Any = dd  # it has no types
        security = _security(distributed, scheduler, tls)
        self._labs = {lab.digest: lab for lab in labs.values()}
        self._sent: dict[str, Any] = {}
        self._stack = contextlib.ExitStack()
        # A task whose worker died is ours to try again: the journal counts tries.
        once = {"distributed.scheduler.allowed-failures": 0}
        self._stack.enter_context(dask.config.set(once))
        try:
            if scheduler is None:
                cluster = self._stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=jobs, threads_per_worker=1, dashboard_address=None
                    )
                )
                self._client: Any = distributed.Client(cluster)
            else:
                self._client = distributed.Client(scheduler, security=security, timeout=_CONNECTING)
        except (OSError, TimeoutError, ValueError) as error:
            self._stack.close()
            why = f"no Dask scheduler answers at {scheduler}: {error}"
            raise UsageError(why) from error
        self._stack.enter_context(self._client)
        self._under_way = distributed.as_completed(with_results=False)
        self._ids: dict[Any, int] = {}

    @property
    def slots(self) -> int:
        """As many as the workers have threads now, and one more so that none waits for us."""
        with _answering():
            return int(sum(self._client.nthreads().values())) + 1

    def begin(self, order: Order) -> None:
        files = self._files(order.lab)
        with _answering():
            future = self._client.submit(
                grade_there,
                order,
                files,
                grader_digest(),
                pure=False,
                retries=0,
            )
        self._ids[future.key] = order.id
        self._under_way.add(future)

    def _files(self, digest: str) -> Any:
        """The lab's files as a future: Dask sends them to a worker when it first needs them.

        A task, not scattered data: what a lost worker had of it, Dask makes again.
        """
        known = self._sent.get(digest)
        if known is None or known.status in ("error", "cancelled", "lost"):
            files = pack(self._labs[digest])
            with _answering():
                self._sent[digest] = self._client.submit(_as_they_are, files, pure=False)
        return self._sent[digest]

    def next(self) -> Outcome:
        future = next(self._under_way)
        order = self._ids.pop(future.key)
        try:
            outcome: Outcome = future.result()
        except Exception as error:  # noqa: BLE001 a lost worker, or whatever a cluster can think of
            why = f"the worker was lost: {type(error).__name__}: {error}"
            return Outcome(id=order, seconds=0.0, error=why, again=True)
        return outcome

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.cancel(list(self._under_way.futures), force=True)
        self._stack.close()


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """Around what needs the scheduler.

    Raises:
        UsageError: it does not answer any more (its errors are of the kind OSError).
    """
    try:
        yield
    except OSError as error:
        why = f"the Dask scheduler was lost ({error}): start it, and run the command again"
        raise UsageError(why) from error


def _as_they_are(files: bytes) -> bytes:
    return files


def _security(
    distributed: Any, scheduler: str | None, tls: tuple[Path | None, Path | None, Path | None]
) -> Any:
    wanted = scheduler is not None and scheduler.startswith("tls://")
    if not wanted and not any(tls):
        return None
    names = ("--tls-ca", "--tls-cert", "--tls-key")
    if not wanted or not all(tls):
        raise UsageError(f"a scheduler at tls://… needs {', '.join(names)}, and no other does")
    for name, path in zip(names, tls, strict=True):
        assert path
        if not path.is_file():
            raise UsageError(f"{name}: {path} is not a file")
    authority, certificate, key = (str(path) for path in tls)
    try:
        made = distributed.Security(
            tls_ca_file=authority,
            tls_client_cert=certificate,
            tls_client_key=key,
            require_encryption=True,
        )
        made.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise UsageError(f"these TLS files cannot be used: {error}") from error
    return made


def pack(lab: LabOfClass) -> bytes:
    """A lab's two folders as a zip, `public/` and `staff/`."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, folder in (("public", lab.folder), ("staff", lab.staff)):
            if folder is None:
                continue
            for path in files_of(folder):
                entry = f"{name}/{lab.slug}/{path.relative_to(folder).as_posix()}"
                archive.writestr(zipfile.ZipInfo(entry), content_of(path))
    return content.getvalue()


def unpack(files: bytes, digest: str, slug: str) -> tuple[Path, Path | None]:
    """The folders of a lab on this machine, written once; only this user can read them."""
    place = Path(tempfile.gettempdir()) / f"inference-labs-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid != os.getuid() or place.is_symlink():
        raise UsageError(f"{place} belongs to somebody else")
    here = place / digest
    if not here.is_dir():
        with tempfile.TemporaryDirectory(dir=place) as folder:
            whole = Path(folder) / "whole"
            with zipfile.ZipFile(io.BytesIO(files)) as archive:
                archive.extractall(whole)
            with contextlib.suppress(OSError):  # another process was faster
                whole.rename(here)
    staff = here / "staff" / slug
    return here / "public" / slug, staff if staff.is_dir() else None


def grade_there(order: Order, files: bytes, version: str) -> Outcome:
    """What a Dask worker does with an order."""
    if version != grader_digest():
        why = "a worker of the cluster has another version of this program, Python, numpy or torch"
        return Outcome(id=order.id, seconds=0.0, error=why, everybody=True)
    slug = Path(order.job.problem).name
    folder, staff = unpack(files, order.lab, slug)
    job = replace(order.job, problem=str(folder), staff=str(staff) if staff else None)
    workers = Workers()
    try:
        return carry_out(replace(order, job=job), workers)
    finally:
        workers.stop()
