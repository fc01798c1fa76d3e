"""TFRecord files as one numbered list, whatever the order in which they are read."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.tensorflow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import tensorflow as tf

    path = tmp_path_factory.mktemp("records")
    number = 0
    for file in range(5):
        with tf.io.TFRecordWriter(str(path / f"r-{file}.tfrecord")) as writer:
            for _ in range(20 + file):
                writer.write(b"%d" % number)
                number += 1
    return path


def opened(folder):
    from tfpc.program.records import tfrecord

    return tfrecord(folder, "r-*.tfrecord", "x.tfp:1:1")


def test_each_record_has_its_number(folder):
    records = opened(folder)
    pairs = [(int(index), int(text.numpy())) for index, text in records.examples()]
    assert records.count == 110
    assert sorted(pairs) == [(n, n) for n in range(110)]


def test_a_sample_is_numbered_anew_and_its_files_are_known(folder):
    from tfpc.program.sampling import sample

    records = opened(folder)
    member = sample(110, 30, 1)
    chosen = records.select(member)
    again = chosen.select(np.arange(30) % 2 == 0)
    texts = {int(index): int(text.numpy()) for index, text in chosen.examples()}
    assert chosen.count == 30
    assert [texts[n] for n in range(30)] == list(np.flatnonzero(member))
    assert sorted(int(t.numpy()) for _, t in again.examples()) == list(
        np.flatnonzero(member)[::2]
    )
    first = int(np.flatnonzero(member)[0])
    assert chosen.file_of(0).endswith(f"r-0.tfrecord, record {first}")


def test_samples_of_one_seed_are_nested_and_split_nothing_twice():
    from tfpc.program.sampling import sample

    small, large = sample(1000, 100, 5), sample(1000, 300, 5)
    assert small.sum() == 100
    assert large.sum() == 300
    assert (large[small]).all()
    # Over the whole, not the first ones.
    assert abs(np.flatnonzero(large).mean() - 500) < 60


@pytest.mark.parametrize("buffer", [None, 2, 16, 500])
def test_a_resumed_stream_goes_on_with_the_next_record(folder, buffer):
    from tfpc.program.position import Position
    from tfpc.program.record_order import records_by_epoch

    def run(start):
        stream = records_by_epoch(opened(folder), 3, 10, 3, start, buffer)
        return [(int(e), int(i), int(r.numpy())) for e, i, r in stream]

    whole = run(Position())
    assert len(whole) == 330
    assert all(index == record for _, index, record in whole)
    for epoch in range(3):
        assert len({i for e, i, _ in whole if e == epoch}) == 110
    assert run(Position(1, 4)) == whole[150:]
    if buffer is not None:
        assert whole[:110] != [(0, i, i) for i in range(110)]
        assert [i for _, i, _ in whole[:110]] != [i for _, i, _ in whole[110:220]]


@pytest.mark.parametrize("cut", [1, 5, 13, 40])
def test_a_cut_file_is_named(folder, tmp_path, cut):
    from tfpc.program.failures import InputError
    from tfpc.program.records import tfrecord

    whole = (folder / "r-0.tfrecord").read_bytes()
    (tmp_path / "r-0.tfrecord").write_bytes(whole[:-cut])
    with pytest.raises(InputError, match=r"r-0\.tfrecord.*cut"):
        tfrecord(tmp_path, "*.tfrecord", "x.tfp:1:1")


def test_a_missing_file_is_named(tmp_path):
    from tfpc.program.failures import InputError
    from tfpc.program.records import tfrecord

    with pytest.raises(InputError, match="no file matches"):
        tfrecord(tmp_path, "*.tfrecord", "x.tfp:1:1")


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
def test_a_compressed_file_that_is_cut_between_records_is_named(tmp_path, compression):
    """TensorFlow reads such a file without a word, as if its end were missing nothing."""
    import zlib

    import tensorflow as tf

    from tfpc.program.failures import InputError
    from tfpc.program.records import ZLIB_FORMATS

    plain = tmp_path / "plain"
    with tf.io.TFRecordWriter(str(plain)) as writer:
        for number in range(20):
            writer.write(b"record %d" % number)
        writer.flush()
        boundary = plain.stat().st_size
        writer.write(b"the last one")
    stream = zlib.compressobj(wbits=ZLIB_FORMATS[compression])
    data = plain.read_bytes()
    first = stream.compress(data[:boundary]) + stream.flush(zlib.Z_FULL_FLUSH)
    whole = first + stream.compress(data[boundary:]) + stream.flush()

    file = tmp_path / "r-0.tfrecord"
    file.write_bytes(whole)
    assert opened(tmp_path).count == 21
    if compression == "GZIP":  # members, as `cat a.gz b.gz` writes them
        file.write_bytes(whole + whole)
        assert len(list(opened(tmp_path).examples())) == opened(tmp_path).count == 42
    file.write_bytes(first)
    with pytest.raises(InputError, match=r"is cut.*after record 20"):
        opened(tmp_path)
