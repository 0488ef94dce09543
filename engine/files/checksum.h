/*
 * CRC-32, as zlib, PNG and Ethernet have it.
 *
 * Every byte of a checkpoint passes through it three times on writing, so it must not cost more than copying. Where
 * the processor multiplies polynomials (x86-64 with PCLMULQDQ) four accumulators of 16 bytes are folded forward
 * (Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction, Intel 2009); elsewhere
 * zlib does it. The result is the same.
 */
#ifndef FLOC_FILES_CHECKSUM_H
#define FLOC_FILES_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t checksum_crc32(const void *bytes, size_t size);

#endif
