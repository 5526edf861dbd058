use super::compress::compress_isa;
use super::nest::nest_isa;
use super::pack::pack_bytes_isa;
use super::positions::positions_isa;
use super::*;
use crate::copy::Stores;
use crate::isa::Isa;
use crate::testing::{self, Canvas, Random};

/// Masks of `n` bits: none, all, a few, half, most, and with words of each of these side by side.
fn masks(n: usize) -> impl Iterator<Item = Vec<bool>> {
    let mut random = Random::new(n as u64);
    [0_u64, 1, 10, 50, 90, 99, 100].into_iter().map(Some).chain([None]).map(move |density| {
        let mut here = 0;
        (0..n)
            .map(|i| {
                if i % 64 == 0 || i % 64 == 37 {
                    here = density.unwrap_or([0, 100, 3, 100, 60][random.next() as usize % 5]);
                }
                random.next() % 100 < here
            })
            .collect()
    })
}

/// The mask as words, behind `first_bit` bits that are set by chance, followed by others to the end of its
/// word.
fn words(mask: &[bool], first_bit: usize) -> Vec<u64> {
    let mut random = Random::new(first_bit as u64 + 1);
    let mut words: Vec<u64> =
        (0..(first_bit + mask.len()).div_ceil(64)).map(|_| random.next() << 9).collect();
    for (i, &set) in mask.iter().enumerate() {
        let (word, bit) = ((first_bit + i) / 64, (first_bit + i) % 64);
        words[word] = words[word] & !(1 << bit) | u64::from(set) << bit;
    }
    words
}

fn packed(mask: &[bool]) -> Vec<u64> {
    mask.chunks(64)
        .map(|bits| bits.iter().enumerate().fold(0, |word, (bit, &set)| word | u64::from(set) << bit))
        .collect()
}

/// Numbers of bits: all up to more than two words, and some more, up to several runs of words.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=140).chain([191, 192, 193, 256, 257, 320, 700, 1024, 4095, 4096, 4097, 5003])
}

fn check_compress(isa: Isa, width: usize, mask: &[bool], first_bit: usize, from: usize, to: usize) {
    let source = Canvas::noise(mask.len() * width, from);
    let expected: Vec<u8> = mask
        .iter()
        .enumerate()
        .filter(|(_, set)| **set)
        .flat_map(|(i, _)| source.bytes()[i * width..][..width].to_vec())
        .collect();
    let words = words(mask, first_bit);
    for stores in [Stores::Cached, Stores::Streaming] {
        let mut target = Canvas::blank(expected.len(), to);
        let (src, dst) = (source.as_ptr(), target.as_mut_ptr());
        // SAFETY: the source has a value for each bit, the target room for those that are set; the set is
        // available.
        let written = unsafe { compress_isa(isa, stores, width, src, &words, first_bit, mask.len(), dst) };
        let n = mask.len();
        let case = format!("{isa:?} {stores:?}: {n} values of {width} from bit {first_bit}, {from}->{to}");
        assert_eq!(written, mask.iter().filter(|set| **set).count(), "{case}");
        target.expect(&expected, &case);
    }
}

#[test]
fn compress_every_width_length_and_density() {
    for isa in testing::isas() {
        for width in [0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 40] {
            for n in lengths() {
                for (which, mask) in masks(n).enumerate() {
                    check_compress(
                        isa,
                        width,
                        &mask,
                        (n * 13 + which * 29) % 130,
                        n % 64,
                        (n * 7 + which) % 64,
                    );
                }
            }
        }
    }
}

#[test]
fn compress_every_first_bit_and_alignment() {
    for isa in testing::isas() {
        for width in [1, 2, 4, 8, 16] {
            for n in [63, 64, 65, 200, 256] {
                for mask in masks(n) {
                    for shift in 0..64 {
                        check_compress(isa, width, &mask, shift, (shift * 5) % 64, shift);
                    }
                }
            }
        }
    }
}

#[test]
fn compress_long() {
    for isa in testing::isas() {
        for width in [1, 2, 3, 4, 8, 16] {
            for mask in masks(70_003) {
                check_compress(isa, width, &mask, 3, 1, 2);
            }
        }
    }
}

#[test]
fn compress_all_bits_of_a_page_and_no_byte_more() {
    // The values end where their page does: what is read beyond them is a fault.
    let page = 4096;
    // SAFETY: a mapping of two pages of its own, of which the second is made inaccessible; unmapped at the end.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let map =
            libc::mmap(std::ptr::null_mut(), 2 * page, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        assert_ne!(map, libc::MAP_FAILED);
        assert_eq!(libc::mprotect(map.cast::<u8>().add(page).cast(), page, libc::PROT_NONE), 0);
        for isa in testing::isas() {
            for width in [1, 2, 4, 8, 16] {
                for n in [1, 63, 64, 65, 127, 128, 200] {
                    for mask in masks(n) {
                        let src = map.cast::<u8>().add(page - n * width);
                        let words = words(&mask, 5);
                        let mut out = vec![1; n * width];
                        let written =
                            compress_isa(isa, Stores::Cached, width, src, &words, 5, n, out.as_mut_ptr());
                        assert!(out[..written * width].iter().all(|byte| *byte == 0));
                    }
                }
            }
        }
        libc::munmap(map, 2 * page);
    }
}

#[test]
fn pack_every_length_stride_and_alignment() {
    for isa in testing::isas() {
        for n in lengths() {
            for (which, mask) in masks(n).enumerate() {
                for stride in [1_isize, 2, 9, -1, -4] {
                    let shift = (n * 3 + which * 11) % 64;
                    // Any byte but 0 is set.
                    let mut bytes = vec![0x80; n * stride.unsigned_abs()];
                    let first = if stride < 0 { bytes.len().saturating_sub(1) } else { 0 };
                    for (i, &set) in mask.iter().enumerate() {
                        let at = first.checked_add_signed(stride * i as isize).unwrap();
                        bytes[at] = if set { [1, 2, 0x80, 0xFF][i % 4] } else { 0 };
                    }
                    let source = Canvas::of(&bytes, shift);
                    let mut out = vec![!0; n.div_ceil(64)];
                    let src = source.as_ptr().wrapping_add(first);
                    // SAFETY: the source has all mask bytes; the set is available.
                    let set = unsafe { pack_bytes_isa(isa, src, stride, n, &mut out) };
                    let case = format!("{isa:?}: {n} bytes {stride} apart at {shift}");
                    assert_eq!(out, packed(&mask), "{case}");
                    assert_eq!(set, mask.iter().filter(|set| **set).count() as u64, "{case}");
                    assert_eq!(set, count(&out), "{case}");
                }
            }
        }
    }
}

#[test]
fn pack_of_one_byte_for_all() {
    let mut words = [0; 3];
    // SAFETY: a stride of 0 reads the one byte.
    assert_eq!(unsafe { pack_bytes([7].as_ptr(), 0, 130, &mut words) }, 130);
    assert_eq!(words, [!0, !0, 3]);
}

#[test]
fn positions_every_length_first_bit_and_room() {
    for isa in testing::isas() {
        for n in lengths() {
            for (which, mask) in masks(n).enumerate() {
                let first_bit = (n * 13 + which * 29) % 130;
                let words = words(&mask, first_bit);
                let expected: Vec<u64> =
                    mask.iter().zip(1_000_000..).filter(|(set, _)| **set).map(|(_, row)| row).collect();
                for room in [0, 1, 63, 64, 1000] {
                    let mut out = vec![77; expected.len() + room];
                    // SAFETY: the set is available.
                    let found = unsafe { positions_isa(isa, &words, first_bit, n, 1_000_000, &mut out) };
                    assert_eq!(&out[..found], expected, "{isa:?}: {n} bits from {first_bit}, mask {which}");
                    // What a processor without VBMI2 gets.
                    #[cfg(target_arch = "x86_64")]
                    if isa == Isa::Avx512 {
                        out.fill(77);
                        let bits = Bits::new(&words, first_bit, n);
                        // SAFETY: the set is available.
                        let found = unsafe { positions::avx512(&bits, 1_000_000, &mut out) };
                        assert_eq!(&out[..found], expected, "{n} bits from {first_bit}, mask {which}");
                    }
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn positions_without_room_are_refused() {
    positions(&[u64::MAX; 3], 0, 192, 0, &mut [0; 191]);
}

#[test]
#[should_panic(expected = "bits 100..100+29 of a mask of 2 words")]
fn bits_beyond_the_mask_are_refused() {
    positions(&[0; 2], 100, 29, 0, &mut []);
}

#[test]
fn nest_of_all_densities() {
    for isa in testing::isas() {
        for n in lengths() {
            for mask in masks(n) {
                let ranks = mask.iter().filter(|set| **set).count();
                for inner in masks(ranks) {
                    let mut left = inner.iter();
                    let expected: Vec<bool> = mask.iter().map(|set| *set && *left.next().unwrap()).collect();
                    let mut out = vec![!0; n.div_ceil(64)];
                    // SAFETY: the set is available.
                    unsafe { nest_isa(isa, &packed(&mask), &words(&inner, 0), &mut out) };
                    assert_eq!(out, packed(&expected), "{isa:?}: {n} bits");
                }
            }
        }
    }
}

#[test]
fn count_of_many() {
    assert_eq!(count(&[]), 0);
    assert_eq!(count(&vec![u64::MAX; (1 << 20) + 5]), 64 * ((1 << 20) + 5));
}
