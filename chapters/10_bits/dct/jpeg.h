// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The encoder and the decoder of chapter 10 for other programs, in C: pixels to finished JPEG files, and any
// JPEG file to pixels, on the CPU or the GPU. What dct.h says of threads, errors and memory holds here, too.
//
//     dct_image image = {pixels, width, height, 3, 0};
//     uint8_t* bytes;
//     size_t size;
//     if (dct_make_jpeg(DCT_GPU, &image, 75, DCT_420, NULL, &bytes, &size) != DCT_OK)
//       fprintf(stderr, "%s\n", dct_error());
//     else
//       fwrite(bytes, 1, size, file);
//     dct_release_bytes(bytes);
#ifndef DCT_JPEG_H
#define DCT_JPEG_H

#include <dct/dct.h>

// [interface]
#ifdef __cplusplus
extern "C" {
#endif

/// How the levels become bits.
typedef struct dct_coding {
  /// A restart marker after so many units, so that a decoder can begin there: 0 (none) to 65535. A unit has
  /// 8 x 8 pixels, in 4:2:0 16 x 16.
  int restart_interval;
  /// 1: Huffman codes made for this picture, for a smaller file. 0: those of the standard.
  int optimized;
} dct_coding;

/// A whole JPEG file in memory, to be released by dct_release_bytes(). It has the levels of dct_compress() on
/// the same processor, and it is byte for byte what libjpeg writes for them. NULL for `coding` is {0, 0};
/// {0, 1} gives the file of dct_encode_jpeg().
/// Pictures have at most 65500 pixels a side.
dct_status dct_make_jpeg(dct_processor processor, const dct_image* image, int quality, dct_sampling sampling,
                         const dct_coding* coding, uint8_t** bytes, size_t* size);

/// Makes files of pictures that are in the memory of the GPU already, all of one size. It keeps what it needs
/// there, so that a call takes no new memory. One thread at a time. Opaque; to be released by
/// dct_release_encoder().
typedef struct dct_encoder dct_encoder;

/// For the device that is current in this thread.
dct_status dct_create_encoder(int width, int height, int channels, int quality, dct_sampling sampling,
                              const dct_coding* coding, dct_encoder** encoder);

/// Bytes that a file of such a picture hardly ever needs more of; 0 for NULL.
size_t dct_room_for_jpeg(const dct_encoder* encoder);

/// `pixels` and `file` point to the memory of the GPU. The pixels lie there as in dct_image; both their
/// address and the stride must be multiples of 8, and 0 for the stride is width * channels, too. Works in
/// `stream`, a cudaStream_t (NULL is the default one), after what is there already, and returns when the file
/// is there. *size is its length in
/// bytes. DCT_BAD_ARGUMENT where it has more than `room` bytes: then what is in `file` is of no use. Likewise
/// for ordinary memory of the host; pinned and managed memory are the GPU's, too.
dct_status dct_encode_on_device(dct_encoder* encoder, const uint8_t* pixels, ptrdiff_t stride, uint8_t* file,
                                size_t room, void* stream, size_t* size);

/// NULL is allowed.
void dct_release_encoder(dct_encoder* encoder);

/// What a JPEG file says of its picture, before it is decoded.
typedef struct dct_jpeg {
  int width, height;
  int channels;     ///< 1: gray; 3: red, green, blue, to which a printer's four colors are brought, too.
  int orientation;  ///< EXIF's, 1 to 8: the decoded picture still has to be turned so.
} dct_jpeg;

/// Neither this nor what follows keeps `bytes`. DCT_FILE for what libjpeg does not read as an 8-bit picture,
/// and where it warns that it would make up pixels: of a file that is damaged or ends early.
dct_status dct_describe_jpeg(const uint8_t* bytes, size_t size, dct_jpeg* jpeg);

/// The pixels that libjpeg makes by default of any JPEG file, into height rows of width * channels values;
/// the stride as in dct_image. Both processors give the same.
dct_status dct_decode_jpeg(dct_processor processor, const uint8_t* bytes, size_t size, uint8_t* pixels,
                           ptrdiff_t stride);

/// Decodes files to the memory of the GPU. It keeps what it needs there as long as files differ in their
/// levels alone. One thread at a time; for several files at once take several decoders, each with a stream.
/// Opaque; to be released by dct_release_decoder().
typedef struct dct_decoder dct_decoder;

/// For the device that is current in this thread.
dct_status dct_create_decoder(dct_decoder** decoder);

/// `bytes` is in the memory of the host, `pixels` in that of the GPU; the rest as dct_decode_jpeg(). Puts the
/// work into `stream` (as of dct_encode_on_device()), and returns, mostly before it is done: neither may be
/// touched before dct_finish_decoding(). From pinned memory the bytes are copied without the CPU.
dct_status dct_begin_decoding(dct_decoder* decoder, const uint8_t* bytes, size_t size, uint8_t* pixels,
                              ptrdiff_t stride, void* stream);

/// Waits until the pixels of the last dct_begin_decoding() are there. *by_host, which may be NULL: 1 if
/// libjpeg had to read the levels on the CPU, because the file is no usual one, else 0.
dct_status dct_finish_decoding(dct_decoder* decoder, int* by_host);

/// Waits. NULL is allowed.
void dct_release_decoder(dct_decoder* decoder);

#ifdef __cplusplus
}
#endif
// [interface]

#endif
