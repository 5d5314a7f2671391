"""What is asked of the database, in SQL. `{now}` is its clock in seconds since 1970: no worker's clock is ever compared.

A transaction that ends leases and adds what they found takes its locks in one order, so that none waits in a circle: hosts that
are new, then all hosts that it touches by their number, then the URLs of hosts that it holds.
"""

from __future__ import annotations

NOW = "extract(epoch from statement_timestamp())::float8"

KNOWN = """
select s.digest from trasmallo_seen s join unnest(%(hosts)s::bigint[], %(digests)s::bigint[]) t(host, digest)
on s.host = t.host and s.digest = t.digest
"""

NEW_HOSTS = """
insert into trasmallo_hosts(host, name)
select distinct on (host) host, name from unnest(%(hosts)s::bigint[], %(names)s::text[]) t(host, name) order by host
on conflict do nothing
"""

LOCK_HOSTS = "select host, token from trasmallo_hosts where host = any(%(hosts)s::bigint[]) order by host for update"

ADD = """
with given as materialized (
    select * from unnest(%(hosts)s::bigint[], %(digests)s::bigint[], %(priorities)s::int[], %(depths)s::int[], %(urls)s::text[],
        %(abouts)s::bytea[]) with ordinality t(host, digest, priority, depth, url, about, place)),
new as (insert into trasmallo_seen select host, digest from given order by host, digest on conflict do nothing
    returning host, digest),
found as (select given.* from given join new using (host, digest) order by place),
queued as (insert into trasmallo_queue(host, priority, depth, url, about)
    select host, priority, depth, url, about from found order by place),
counts as (select host, count(*) as number from found group by host),
turns as (update trasmallo_hosts h set queued = h.queued + number,
    due = case when h.token is not null then h.due else least(h.due, greatest(h.free_at, {now})) end
    from counts where h.host = counts.host)
select count(*) from found
"""

_DUE_FIRST = """
with free as materialized (
    select host, name, free_at, worker as before, lent as expired, state, 0 as place from trasmallo_hosts where due <= {now}
    order by due limit %(hosts)s for update skip locked),
"""
_BEST_FIRST = """
with candidates as materialized (
    select host, name, free_at, worker as before, lent as expired, state, due from trasmallo_hosts where due <= {now}
    order by due limit greatest(%(hosts)s, %(compared)s) for update skip locked),
free as materialized (
    select host, name, free_at, before, expired, state, (select priority from trasmallo_queue q
        where q.host = candidates.host and after <= {now} order by priority, depth, seq limit 1) as place
    from candidates order by place, due limit %(hosts)s),
"""
_LENT = """
taken as materialized (
    select free.host, q.* from free cross join lateral (
        select priority, depth, seq, attempts, url, about from trasmallo_queue
        where trasmallo_queue.host = free.host and after <= {now} order by priority, depth, seq limit %(urls)s) q),
numbers as (select host, count(*) as number, array_agg(seq) as seqs from taken group by host),
lent as (update trasmallo_hosts h set
    token = case when number is null then null else (random() * 9e15)::bigint end, worker = %(worker)s,
    lent = coalesce(number, 0), held = seqs,
    due = case when number is null then (select min(after) from trasmallo_queue q where q.host = h.host)
        else {now} + %(seconds)s end
    from free left join numbers using (host) where h.host = free.host
    returning h.host, h.token)
select host, name, token, free_at - {now}, expired, case when before is distinct from %(worker)s then state end,
    priority, depth, seq, attempts, url, about
from lent join free using (host) left join taken using (host) order by place, host, priority, depth, seq
"""
LEASE = _DUE_FIRST + _LENT
LEASE_BEST = _BEST_FIRST + _LENT
"""The same, but of hosts that are due those are lent whose first address comes first."""

NEXT_DUE = "select min(due) - {now} from trasmallo_hosts where due is not null and token is null"

WORK_LEFT = """
select exists(select from trasmallo_hosts where due is not null) or exists(select from trasmallo_outbox),
    (select coalesce(sum(known + retries), 0) from trasmallo_workers)
"""

SEND = "insert into trasmallo_outbox(server, worker, at, targets) values (%(server)s, %(worker)s, {now}, %(targets)s)"

TO_SEND = """
select id, targets from trasmallo_outbox where server = %(server)s and (worker = %(worker)s or at < {now} - %(seconds)s)
order by id limit %(most)s
"""

SENT = "delete from trasmallo_outbox where id = any(%(ids)s::bigint[])"

EXTEND = """
with mine as materialized (select host from trasmallo_hosts
    where host = any(%(hosts)s::bigint[]) and token = any(%(tokens)s::bigint[]) order by host for update)
update trasmallo_hosts h set due = greatest(h.due, {now} + %(seconds)s) from mine where h.host = mine.host returning h.token
"""

DELETE = """
delete from trasmallo_queue q using unnest(%(hosts)s::bigint[], %(priorities)s::int[], %(depths)s::int[], %(seqs)s::bigint[])
    t(host, priority, depth, seq)
where q.host = t.host and q.priority = t.priority and q.depth = t.depth and q.seq = t.seq returning q.host, q.seq
"""

QUEUE_AGAIN = """
insert into trasmallo_queue(host, priority, depth, url, about, attempts, after)
select host, priority, depth, url, about, attempts, case when seconds > 0 then {now} + seconds else 0 end
from unnest(%(hosts)s::bigint[], %(priorities)s::int[], %(depths)s::int[], %(urls)s::text[], %(abouts)s::bytea[],
    %(attempts)s::int[], %(seconds)s::float8[]) t(host, priority, depth, url, about, attempts, seconds)
"""

WAITING = """
select host, priority, depth, seq, url from trasmallo_queue
where host = any(%(hosts)s::bigint[]) and url = any(%(urls)s::text[])
"""

HELD = "select unnest(held) from trasmallo_hosts where host = any(%(hosts)s::bigint[]) and token is not null"

MOVE = """
with gone as (delete from trasmallo_queue q using unnest(%(hosts)s::bigint[], %(priorities)s::int[], %(depths)s::int[],
        %(seqs)s::bigint[], %(others)s::int[]) t(host, priority, depth, seq, other)
    where q.host = t.host and q.priority = t.priority and q.depth = t.depth and q.seq = t.seq
    returning q.host, t.other, q.priority, q.depth, q.seq, q.url, q.about, q.attempts, q.after)
insert into trasmallo_queue(host, priority, depth, url, about, attempts, after)
select host, other, depth, url, about, attempts, after from gone order by priority, depth, seq
"""

RELEASE = """
update trasmallo_hosts h set token = null, lent = 0, held = null, queued = greatest(0, h.queued - t.gone),
    last = coalesce(t.last, h.last), state = coalesce(t.state, h.state), free_at = {now} + t.rest,
    due = case when exists(select from trasmallo_queue q where q.host = h.host and q.after <= {now} + t.rest)
        then {now} + t.rest else (select min(after) from trasmallo_queue q where q.host = h.host) end
from unnest(%(hosts)s::bigint[], %(gone)s::bigint[], %(last)s::text[], %(state)s::bytea[], %(rest)s::float8[])
    t(host, gone, last, state, rest)
where h.host = t.host
"""

TURNS = """
update trasmallo_hosts h set queued = (select count(*) from trasmallo_queue q where q.host = h.host),
    due = case when h.token is not null then h.due
        else (select greatest(h.free_at, min(after)) from trasmallo_queue q where q.host = h.host having count(*) > 0) end
where h.host = any(%(hosts)s::bigint[])
"""

TALLY = """
insert into trasmallo_tallies(worker, outcome, number)
select %(worker)s, outcome, number from unnest(%(outcomes)s::text[], %(numbers)s::bigint[]) t(outcome, number)
on conflict (worker, outcome) do update set number = trasmallo_tallies.number + excluded.number
"""

COUNT_WORKER = """
update trasmallo_workers set known = known + %(known)s, retries = retries + %(retries)s where worker = %(worker)s
"""

PUT_ROWS = """
insert into trasmallo_rows(worker, number, url, at, outcome, row)
select %(worker)s, * from unnest(%(numbers)s::bigint[], %(urls)s::text[], %(ats)s::float8[], %(outcomes)s::text[],
    %(rows)s::bytea[]) on conflict do nothing
"""

COMMIT_WORKER = """
update trasmallo_workers set rows = greatest(rows, %(last)s), received = %(received)s,
    file = coalesce(nullif(%(file)s::text, ''), file), size = case when %(file)s::text = '' then size else %(size)s end
where worker = %(worker)s and not gone returning worker
"""

BUDGET = "update trasmallo_crawl set allowance = allowance + %(number)s where allowance is not null"
TAKE_BUDGET = """
with before as (select allowance from trasmallo_crawl where allowance is not null for update)
update trasmallo_crawl c set allowance = b.allowance - least(b.allowance, %(wanted)s)
from before b returning least(b.allowance, %(wanted)s)
"""
RECLAIM = """
with over as materialized (select host, lent from trasmallo_hosts where due <= {now} and token is not null
    for update skip locked),
freed as (update trasmallo_hosts h set token = null, lent = 0, held = null from over where h.host = over.host)
update trasmallo_crawl set allowance = allowance + (select coalesce(sum(lent), 0) from over) where allowance is not null
"""

SUMS = """
select (select coalesce(sum(known), 0) from trasmallo_workers), (select coalesce(sum(retries), 0) from trasmallo_workers),
    (select coalesce(sum(lent), 0) from trasmallo_hosts where token is not null), (select count(*) from trasmallo_hosts)
"""

BUSIEST = """
select name, queued - lent, coalesce(case when token is null then greatest(due, free_at) end, free_at), token is not null, last
from trasmallo_hosts where due is not null order by token is null, queued desc limit %(most)s
"""

TEACH = "insert into trasmallo_learned(worker, note) select %(worker)s, * from unnest(%(notes)s::bytea[])"
FORGET_LEARNED = "delete from trasmallo_learned where id <= (select max(id) from trasmallo_learned) - %(kept)s"
LEARN = """
select id, note from trasmallo_learned where id > %(heard)s and worker <> %(worker)s order by id limit %(most)s
"""
